package dev.holdfast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static long millis(long sentMillis, long clusterMillis, long endMillis, long ttlMillis) {
        return TimeUnit.NANOSECONDS.toMillis(
                Deadline.of(TimeUnit.MILLISECONDS.toNanos(sentMillis), clusterMillis, endMillis, ttlMillis));
    }

    @Test
    void counts_from_the_sending_less_one_percent_and_a_margin() {
        assertThat(millis(5_000, 100_000, 110_000, 10_000)).isEqualTo(5_000 + 9_900 - 50);
    }

    @Test
    void the_margin_of_a_short_lease_is_a_tenth_of_it() {
        assertThat(millis(0, 0, 100, 100)).isEqualTo(99 - 10);
    }

    @Test
    void what_has_ended_at_the_cluster_has_ended_here() {
        assertThat(millis(5_000, 110_000, 110_000, 10_000)).isLessThan(5_000);
    }
}
