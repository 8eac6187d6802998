package dev.holdfast.bench.side.run;

import dev.holdfast.bench.side.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What was asked on the command line.
 *
 * @param root of the checkout
 * @param directory for data, on a disk
 * @param output where plots and values go
 * @param experiments those in one list share a cluster
 * @param systems to be measured; all if empty
 * @param ttl how long a client's locks outlive it
 * @param flags of every JVM
 */
record Options(
        Path root,
        Path directory,
        Path output,
        List<List<Experiment>> experiments,
        List<Entrant> systems,
        Plan plan,
        Duration ttl,
        List<String> flags) {
    /** What starting, stopping and failing over may take beside the plan, for each repetition. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    static Options parse(List<String> arguments) {
        Path root = Path.of(".");
        Path directory = Path.of("target");
        Path output = Path.of("docs", "bench");
        List<List<Experiment>> experiments = new ArrayList<>();
        List<Entrant> systems = List.of();
        Duration warmUp = Duration.ofSeconds(25);
        Duration measured = Duration.ofSeconds(10);
        Duration ttl = Duration.ofSeconds(10);
        int repetitions = 3;
        List<String> flags = List.of("-Xms1g", "-Xmx1g");
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String value = argument.substring(equals + 1);
            switch (equals < 0 ? "" : argument.substring(0, equals)) {
                case "--root" -> root = Path.of(value);
                case "--directory" -> directory = Path.of(value);
                case "--output" -> output = Path.of(value);
                case "--warm-up" -> warmUp = seconds(argument, value);
                case "--seconds" -> measured = seconds(argument, value);
                case "--ttl" -> ttl = seconds(argument, value);
                case "--repetitions" -> repetitions = Math.toIntExact(number(argument, value));
                case "--systems" ->
                    systems = Arrays.stream(value.split(",", -1))
                            .map(Options::system)
                            .toList();
                case "--jvm" -> flags = words(value);
                case "" ->
                    experiments.addAll(
                            argument.equals("all")
                                    ? Experiment.everything().stream()
                                            .map(List::of)
                                            .toList()
                                    : List.of(Experiment.group(argument)));
                default -> throw new IllegalArgumentException(argument + ": no such option; see --help");
            }
        }
        if (experiments.isEmpty()) {
            throw new IllegalArgumentException("which experiment? one or more of " + Experiment.letters() + ", or all");
        }
        Plan plan = new Plan(warmUp, measured, repetitions);
        return new Options(root, directory, output, experiments, systems, plan, ttl, flags);
    }

    /** After this a system is given up. */
    Duration patience() {
        int largest = experiments.stream().mapToInt(List::size).max().orElse(1);
        Duration each =
                plan.warmUp().plus(plan.measured().multipliedBy(largest)).plus(MARGIN);
        return each.multipliedBy(plan.repetitions());
    }

    /** What stands between blanks. */
    static List<String> words(String text) {
        return Arrays.stream(text.split(" ", -1))
                .filter(word -> !word.isBlank())
                .toList();
    }

    private static Duration seconds(String argument, String value) {
        return Duration.ofSeconds(number(argument, value));
    }

    private static long number(String argument, String value) {
        try {
            long number = Long.parseLong(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(argument + ": wants a whole number above 0");
    }

    private static Entrant system(String name) {
        return Arrays.stream(Entrant.values())
                .filter(known ->
                        known.name().equals(name.toUpperCase(Locale.ROOT).replace('-', '_')))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(name + ": not one of " + Arrays.toString(Entrant.values())));
    }
}
