package dev.holdfast.client.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ElapsedClockTest {
    private final FakeTicks ticks = new FakeTicks();
    private final ElapsedClock clock = new ElapsedClock(ticks);

    private static final class FakeTicks implements Ticks {
        private long nanos = 1_000;
        private long wallMillis = 1_700_000_000_000L;
        private long bootNanos = 5_000_000_000L;
        private boolean hasBootClock = true;

        void pass(long millis) {
            nanos += TimeUnit.MILLISECONDS.toNanos(millis);
            bootNanos += TimeUnit.MILLISECONDS.toNanos(millis);
            wallMillis += millis;
        }

        void suspend(long millis) {
            bootNanos += TimeUnit.MILLISECONDS.toNanos(millis);
            wallMillis += millis;
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return wallMillis;
        }

        @Override
        public long bootNanos() {
            return hasBootClock ? bootNanos : UNKNOWN;
        }
    }

    private long elapsedMillis(Runnable happening) {
        long before = clock.now();
        happening.run();
        return TimeUnit.NANOSECONDS.toMillis(clock.now() - before);
    }

    @Test
    void time_passes_as_the_monotonic_clock_shows() {
        assertThat(elapsedMillis(() -> ticks.pass(1_234))).isEqualTo(1_234);
        assertThat(clock.doubts()).isZero();
    }

    @Test
    void behaviour_06_time_asleep_counts_though_the_monotonic_clock_stood_still() {
        assertThat(elapsedMillis(() -> ticks.suspend(30_000))).isEqualTo(30_000);
        assertThat(elapsedMillis(() -> ticks.pass(10))).isEqualTo(10);
        assertThat(elapsedMillis(() -> ticks.suspend(5_000))).isEqualTo(5_000);
    }

    @Test
    void behaviour_15_a_forward_jump_of_the_wall_clock_passes_no_time_and_leaves_a_doubt() {
        assertThat(elapsedMillis(() -> ticks.wallMillis += 3_600_000)).isZero();
        assertThat(clock.doubts()).isEqualTo(1);
    }

    @Test
    void a_backward_jump_of_the_wall_clock_means_nothing() {
        assertThat(elapsedMillis(() -> ticks.wallMillis -= 3_600_000)).isZero();
        assertThat(clock.doubts()).isZero();
        // And does not hide what comes after it.
        assertThat(elapsedMillis(() -> ticks.suspend(1_000))).isEqualTo(1_000);
    }

    @Test
    void without_a_boot_clock_a_sleep_can_only_be_suspected() {
        ticks.hasBootClock = false;
        ElapsedClock blind = new ElapsedClock(ticks);
        long before = blind.now();
        ticks.suspend(30_000);
        assertThat(blind.now()).isEqualTo(before);
        assertThat(blind.doubts()).isEqualTo(1);
    }

    @Test
    void a_wall_clock_that_is_slewed_is_no_jump_if_it_is_looked_at_now_and_then() {
        for (int i = 0; i < 1_000; i++) {
            ticks.pass(1_000);
            ticks.wallMillis += 1;
            clock.look();
        }
        assertThat(clock.doubts()).isZero();
    }

    @Test
    void this_machine_has_clocks_that_agree() {
        ElapsedClock real = new ElapsedClock(new SystemTicks());
        long first = real.now();
        assertThat(real.now()).isGreaterThanOrEqualTo(first);
        assertThat(new SystemTicks().bootNanos()).isPositive();
    }
}
