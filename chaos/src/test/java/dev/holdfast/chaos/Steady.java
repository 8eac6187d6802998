package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.Vitals.Quiet;
import dev.holdfast.chaos.Vitals.Sample;
import java.util.List;

/**
 * What a process took after it had warmed up.
 *
 * @param from the second of its life from which on it counts
 */
record Steady(String name, double from, double until, List<Sample> samples, List<Quiet> looks) {
    private static final double MAX_MEGABYTES_PER_HOUR = 5;
    private static final int MAX_HEAP_GROWTH_KB = 8 * 1_024;
    /** A snapshot more, and a piece of the log. */
    private static final int MAX_DISK_GROWTH_KB = 32 * 1_024;

    /** Connections that are kept for the next one who asks, and files of the log, come and go. */
    private static final int MAX_MORE_DESCRIPTORS = 12;

    /** @param warmUp the part of its life that is left out */
    static Steady of(String name, Vitals process, List<Quiet> looks, double warmUp) {
        double until = looks.get(looks.size() - 1).seconds();
        double from = until * warmUp;
        List<Quiet> steady =
                looks.stream().filter(look -> look.seconds() >= from).toList();
        // Where it was looked at only twice, both count.
        return new Steady(name, from, until, process.since(from), steady.size() < 2 ? looks : steady);
    }

    private Quiet first() {
        return looks.get(0);
    }

    private Quiet last() {
        return looks.get(looks.size() - 1);
    }

    private double residentSlope() {
        return Vitals.megabytesPerHour(samples, Sample::residentKb);
    }

    void tell() {
        Figures.tell(
                "T29",
                "%s lived for %.0f s; from %.0f s on: resident %+.1f MB an hour (%+.1f without files; %d MB at the end),"
                        + " live heap %.1f to %.1f MB, descriptors %d to %d, disk %.1f to %.1f MB",
                name,
                until,
                from,
                residentSlope(),
                Vitals.megabytesPerHour(samples, Sample::anonymousKb),
                samples.isEmpty() ? 0 : samples.get(samples.size() - 1).residentKb() / 1_024,
                first().heapKb() / 1_024.0,
                last().heapKb() / 1_024.0,
                first().descriptors(),
                last().descriptors(),
                first().diskKb() / 1_024.0,
                last().diskKb() / 1_024.0);
    }

    void assertDescriptorsFlat() {
        assertThat(last().descriptors())
                .as("descriptors of %s while nobody asks: %s", name, looks)
                .isLessThanOrEqualTo(first().descriptors() + MAX_MORE_DESCRIPTORS);
    }

    /** @param outside what it took outside its heap, for the report of a failure */
    void assertMemoryFlat(String outside) {
        assertThat(residentSlope())
                .as("resident megabytes an hour of %s; it took more for: %s", name, outside)
                .isLessThanOrEqualTo(MAX_MEGABYTES_PER_HOUR);
        assertThat(last().heapKb() - first().heapKb())
                .as("growth of the live heap of %s: %s", name, looks)
                .isLessThanOrEqualTo(MAX_HEAP_GROWTH_KB);
        assertThat(last().diskKb() - first().diskKb())
                .as("growth of what %s keeps on disk: %s", name, looks)
                .isLessThanOrEqualTo(MAX_DISK_GROWTH_KB);
    }
}
