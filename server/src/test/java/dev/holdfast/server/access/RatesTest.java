package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RatesTest {
    private static final long MILLI = 1_000_000;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final Rates rates = new Rates(10, now::get);

    private int taken(String name, int tries) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            taken += rates.take(name) == 0 ? 1 : 0;
        }
        return taken;
    }

    @Test
    void one_seconds_worth_may_come_at_once_and_then_no_more() {
        assertThat(taken("a", 100)).isEqualTo(10);
        assertThat(rates.take("a")).isEqualTo(100 * MILLI);
    }

    @Test
    void what_was_refused_is_not_counted_and_the_wait_that_was_told_is_enough() {
        assertThat(taken("a", 1_000)).isEqualTo(10);
        now.addAndGet(rates.take("a") - 1);
        assertThat(rates.take("a")).isEqualTo(1);
        now.addAndGet(1);
        assertThat(rates.take("a")).isZero();
    }

    @Test
    void the_rate_holds_over_time_whoever_waited_saves_up_one_second_at_the_most() {
        int taken = 0;
        for (int i = 0; i < 10_000; i++) {
            taken += taken("a", 3);
            now.addAndGet(MILLI);
        }
        assertThat(taken).isBetween(10 * 10, 10 * 10 + 10);
        now.addAndGet(60_000 * MILLI);
        assertThat(taken("a", 100)).isEqualTo(10);
    }

    @Test
    void one_name_takes_nothing_from_another() {
        assertThat(taken("a", 100)).isEqualTo(10);
        assertThat(taken("b", 100)).isEqualTo(10);
    }

    @Test
    void without_a_limit_nothing_is_counted() {
        Rates unlimited = new Rates(0, now::get);
        for (int i = 0; i < 1_000; i++) {
            assertThat(unlimited.take("a")).isZero();
        }
    }

    @Test
    void what_is_owed_grows_to_a_second_and_no_more() {
        for (int i = 0; i < 10; i++) {
            assertThat(rates.owe("a")).isZero();
        }
        assertThat(rates.owe("a")).isEqualTo(100 * MILLI);
        assertThat(rates.owe("a")).isEqualTo(200 * MILLI);
        for (int i = 0; i < 100; i++) {
            assertThat(rates.owe("a")).isLessThanOrEqualTo(1_000 * MILLI);
        }
        now.addAndGet(2_000 * MILLI);
        assertThat(rates.owe("a")).isZero();
        assertThat(rates.owe("b")).isZero();
    }
}
