package dev.holdfast.server.settings.source;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The three places a value can come from: flags over environment variables over the file.
 *
 * <p>An unknown name is an error in each of them: a mistyped key that is skipped silently is a node that runs with
 * a default nobody chose.
 */
final class Sources {
    /** Variables of that prefix that other parts of Holdfast read: the command line, its start script, the bench. */
    static final Set<String> OTHERS = Set.of(
            "HOLDFAST_ENDPOINTS", "HOLDFAST_AUTH_TOKEN", "HOLDFAST_CACERT", "HOLDFAST_JAVA_OPTS", "HOLDFAST_BENCH_JVM");

    private final Problems problems;

    Sources(Problems problems) {
        this.problems = problems;
    }

    /** @param lines what the file gives */
    Map<Setting, Given> layered(List<Given> lines, Map<String, String> environment, Map<String, String> flags) {
        Map<Setting, Given> found = known(lines, Setting::ofKey, Setting::key);
        // Sorted, so that problems come in the same order on every start.
        List<Given> variables = new ArrayList<>();
        new TreeMap<>(environment).forEach((name, text) -> {
            if (Setting.isVariable(name) && !OTHERS.contains(name)) {
                variables.add(new Given(name, text.strip(), Given.ENVIRONMENT));
            }
        });
        found.putAll(known(variables, Setting::ofVariable, Setting::variable));
        List<Given> options = new ArrayList<>();
        new TreeMap<>(flags).forEach((name, text) -> options.add(new Given(name, text.strip(), Given.FLAG)));
        found.putAll(known(options, Setting::ofKey, Setting::key));
        return found;
    }

    private Map<Setting, Given> known(
            List<Given> all, Function<String, Optional<Setting>> byName, Function<Setting, String> nameOf) {
        Map<Setting, Given> known = new EnumMap<>(Setting.class);
        for (Given given : all) {
            Optional<Setting> setting = byName.apply(given.name());
            if (setting.isEmpty()) {
                List<String> names = Stream.of(Setting.values()).map(nameOf).toList();
                problems.add(given, "unknown; " + Nearest.suggestion(given.name(), names));
                continue;
            }
            Given earlier = known.putIfAbsent(setting.get(), given);
            if (earlier != null) {
                problems.add(given, "is given twice, first at " + earlier.origin());
            }
        }
        return known;
    }
}
