package dev.holdfast.server.propose;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClusterClockTest {
    private static final long MILLI = 1_000_000;

    @Test
    void starts_at_the_machines_own_time() {
        assertThat(new ClusterClock(3, 12_345, 77).read(77)).isEqualTo(12_345);
    }

    @Test
    void adds_up_small_steps_without_losing_fractions() {
        ClusterClock clock = new ClusterClock(1, 0, 0);
        long last = 0;
        for (int i = 1; i <= 3_000; i++) {
            last = clock.read(i * 333_333L);
        }
        assertThat(last).isEqualTo(999);
    }

    @Test
    void a_leader_that_stood_still_ages_nobody_by_more_than_one_step() {
        ClusterClock clock = new ClusterClock(1, 1_000, 0);
        assertThat(clock.read(60_000 * MILLI)).isEqualTo(1_500);
        assertThat(clock.read(60_010 * MILLI)).isEqualTo(1_510);
    }

    @Test
    void never_goes_back() {
        ClusterClock clock = new ClusterClock(1, 0, 0);
        assertThat(clock.read(100 * MILLI)).isEqualTo(100);
        assertThat(clock.read(50 * MILLI)).isEqualTo(100);
        assertThat(clock.read(60 * MILLI)).isEqualTo(110);
    }
}
