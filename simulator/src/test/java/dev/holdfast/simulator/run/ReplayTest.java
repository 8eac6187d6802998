package dev.holdfast.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulator.world.Trace;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same seed is the same run, whichever thread carries it out, and whether anybody reads the trace. */
@Timeout(1_200)
class ReplayTest {
    private static final int SEEDS = Boolean.getBoolean("holdfast.long") ? 200 : 20;

    @Test
    void the_same_seed_gives_the_same_trace() throws Exception {
        long[] hashes = LongStream.rangeClosed(1, SEEDS)
                .map(seed -> Simulation.run(Plan.of(seed), Trace.hashed()).traceHash())
                .toArray();
        int[] same = {0};
        Seeds.run(1, SEEDS, 2, Plan::of, report -> {
            if (report.traceHash() == hashes[(int) report.plan().seed() - 1]) {
                same[0]++;
            }
        });
        System.out.printf("%d of %d seeds replay to the same trace%n", same[0], SEEDS);
        assertThat(same[0]).isEqualTo(SEEDS);
        assertThat(LongStream.of(hashes).distinct().count()).isEqualTo(SEEDS);
    }

    @Test
    void reading_the_trace_changes_nothing() {
        AtomicReference<String> last = new AtomicReference<>("");
        Report read = Simulation.run(Plan.of(7), Trace.readBy(last::set));
        assertThat(read).isEqualTo(Simulation.run(Plan.of(7), Trace.hashed()));
        assertThat(last.get()).isNotEmpty();
    }
}
