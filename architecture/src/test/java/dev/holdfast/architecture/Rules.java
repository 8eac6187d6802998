package dev.holdfast.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;

/** What is asked of the classes of every module. */
final class Rules {
    /** Every package is a slice of its own: {@code core}, {@code core.state} and so on. */
    static final ArchRule NO_CYCLES = slices().matching("dev.holdfast.(**)")
            .namingSlices("package $1")
            .should()
            .beFreeOfCycles()
            .because("what needs each other is one thing, and cannot be read, tested or moved apart");

    private Rules() {}

    /** Simple names that several classes of these have, with the classes. Nested classes do not count. */
    static List<String> namesUsedTwice(JavaClasses classes) {
        Map<String, TreeSet<String>> bySimpleName = new TreeMap<>();
        for (JavaClass each : classes) {
            if (each.isTopLevelClass()
                    && isWritten(each)
                    && !each.getSimpleName().equals("package-info")) {
                bySimpleName
                        .computeIfAbsent(each.getSimpleName(), unused -> new TreeSet<>())
                        .add(each.getName());
            }
        }
        return bySimpleName.values().stream()
                .filter(same -> same.size() > 1)
                .map(same -> String.join(" and ", same))
                .toList();
    }

    /** Packages of these classes that leave open whether {@code null} is allowed. */
    static List<String> packagesNotNullMarked(JavaClasses classes) {
        TreeSet<String> all = classes.stream()
                .filter(Rules::isWritten)
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        return all.stream()
                .filter(Predicate.not(name -> classes.contain(name + ".package-info")
                        && classes.get(name + ".package-info").isAnnotatedWith(NullMarked.class)))
                .toList();
    }

    /** Whether a person wrote it: what the compilers of protobuf and JMH make is as it is. */
    private static boolean isWritten(JavaClass each) {
        return !each.getPackageName().equals("dev.holdfast.protocol.v1")
                && !each.getPackageName().endsWith(".jmh_generated");
    }
}
