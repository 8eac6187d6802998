package dev.holdfast.chaos;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Clocks that run fast or slow, in real processes. What is tested is in {@link Drift}. */
class DriftTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void clocks_that_differ_by_one_percent_let_no_two_believe_and_others_are_seen_to() throws Exception {
        Optional<Path> fakeTime = NativeLibrary.fakeTime();
        assumeTrue(fakeTime.isPresent(), "libfaketime is not installed");
        Alone.run(
                Drift.class,
                root,
                Duration.ofMinutes(Figures.times(5, 40)),
                fakeTime.get().toString(),
                Integer.toString(Integer.getInteger("holdfast.drift.handoffs", Figures.times(50, 5_000))),
                Integer.toString(Integer.getInteger("holdfast.drift.long", Figures.times(0, 300))));
    }
}
