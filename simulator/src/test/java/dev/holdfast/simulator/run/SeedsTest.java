package dev.holdfast.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every promise is kept in every run. {@code -Dholdfast.seeds=20000} for many, {@code -Dholdfast.first-seed} for others. */
@Timeout(7_200)
class SeedsTest {
    private static final int SEEDS =
            Integer.getInteger("holdfast.seeds", Boolean.getBoolean("holdfast.long") ? 10_000 : 300);
    private static final long FIRST = Long.getLong("holdfast.first-seed", 1);
    private static final int SHOWN = 10;

    @Test
    void every_promise_is_kept_in_every_run() throws Exception {
        List<Report> broken = new ArrayList<>();
        long[] sums = new long[4];
        Seeds.run(FIRST, SEEDS, Runtime.getRuntime().availableProcessors(), Plan::of, report -> {
            sums[0] += report.operations();
            sums[1] += report.events();
            sums[2] += report.nanos() / 1_000_000_000;
            sums[3] += report.decided() ? 0 : 1;
            if (!report.isClean()) {
                broken.add(report);
            }
        });
        System.out.printf(
                "%d seeds from %d: %d operations, %d events, %d s of virtual time, %d histories undecided, %d broken%n",
                SEEDS, FIRST, sums[0], sums[1], sums[2], sums[3], broken.size());
        assertThat(broken.stream().limit(SHOWN)).isEmpty();
        // A load that made nothing happen would show nothing.
        assertThat(sums[1]).isGreaterThan(100L * SEEDS);
        assertThat(sums[3]).isLessThan(SEEDS / 2 + 1L);
    }
}
