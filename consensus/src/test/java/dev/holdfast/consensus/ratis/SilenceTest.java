package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final int PATIENCE = 250;

    private long now = 1_000_000;
    private long heard = now;
    private boolean asking;
    private final Silence silence = new Silence(() -> TimeUnit.MILLISECONDS.toNanos(now));

    private void ask() {
        silence.asked();
        asking = true;
    }

    private void answer(boolean brought) {
        silence.answered(brought);
        asking = false;
        heard = now;
    }

    private boolean needsSign() {
        return silence.needsSign(asking, now - heard, PATIENCE);
    }

    /** Lets time pass, and answers each sign of life at once. */
    private int signsWithin(long millis) {
        int signs = 0;
        for (long i = 0; i < millis; i++) {
            now++;
            if (needsSign()) {
                signs++;
                heard = now;
            }
        }
        return signs;
    }

    @Test
    void sound_member_on_an_idle_log_needs_no_sign() {
        int signs = 0;
        for (int i = 0; i < 100; i++) {
            signs += signsWithin(500);
            ask();
            signs += signsWithin(100);
            answer(true);
        }
        assertThat(signs).isZero();
    }

    @Test
    void late_answer_needs_signs_and_the_answer_ends_them() {
        signsWithin(5000);
        ask();
        assertThat(signsWithin(PATIENCE - 1)).isZero();
        assertThat(signsWithin(1 + 4 * PATIENCE)).isEqualTo(5);
        answer(true);
        assertThat(signsWithin(5000)).isZero();
    }

    @Test
    void heartbeats_that_alone_get_across_earn_no_more_signs() {
        int signs = 0;
        for (int i = 0; i < 20; i++) {
            ask();
            signs += signsWithin(3000);
            answer(false);
        }
        assertThat(signs).isPositive();
        ask();
        assertThat(signsWithin(3000)).isZero();
        answer(true);
        ask();
        assertThat(signsWithin(3000)).isPositive();
    }

    @Test
    void after_what_came_to_nothing_the_next_heartbeat_is_not_replaced_and_not_waited_for() {
        ask();
        signsWithin(3000);
        asking = false;
        assertThat(signsWithin(1000)).isZero();
        ask();
        assertThat(needsSign()).isTrue();
    }
}
