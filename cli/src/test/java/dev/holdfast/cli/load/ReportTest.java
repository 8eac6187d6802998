package dev.holdfast.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static Plan plan(int threads, int keys, boolean sharedKeys) {
        return new Plan(
                "p/", threads, 1, keys, sharedKeys, false, Duration.ZERO, 0, Duration.ZERO, Duration.ofSeconds(10));
    }

    private static long micros(long value) {
        return TimeUnit.MICROSECONDS.toNanos(value);
    }

    @Test
    void time_a_lock_is_kept_for_is_no_part_of_its_latency() {
        Meter meter = new Meter();
        meter.pair(0, micros(300), micros(9_300), micros(9_500));

        assertThat(meter.acquire().getMaxValue()).isEqualTo(300);
        assertThat(meter.release().getMaxValue()).isEqualTo(200);
        assertThat(meter.pair().getMaxValue()).isEqualTo(500);
    }

    @Test
    void pairs_are_counted_per_second_and_into_steps_that_double() {
        Meter meter = new Meter();
        for (int i = 0; i < 30; i++) {
            meter.pair(0, micros(400), micros(400), micros(400 + (i < 10 ? 1 : 700)));
        }
        meter.failure(new IllegalStateException("no"));

        Report report = new Report(plan(8, 1, false), new Load.Outcome(meter, Duration.ofSeconds(10)));

        assertThat(report.headline()).isEqualTo("30 pairs in 10.0 s: 3.0 pairs/s, 1 failures");
        assertThat(report.bars())
                .containsExactly(
                        "     0.500 ms   33.33 %  #########################",
                        "         1 ms    0.00 %  ",
                        "         2 ms   66.67 %  ##################################################");
    }

    @Test
    void threads_have_keys_of_their_own_unless_they_share_them() {
        Set<String> own = new HashSet<>();
        Set<String> shared = new HashSet<>();
        for (int thread = 0; thread < 4; thread++) {
            for (long n = 0; n < 20; n++) {
                own.add(plan(4, 3, false).key(thread, n));
                shared.add(plan(4, 3, true).key(thread, n));
            }
        }
        assertThat(own).hasSize(12);
        assertThat(shared).containsExactlyInAnyOrder("p/0", "p/1", "p/2");
    }
}
