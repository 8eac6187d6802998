package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallerTurnsTest {
    private static final int PERCENT = 10;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    /** What is paid off in a millisecond. */
    private static final long SHARE = MILLI / PERCENT;

    private final CallerTurns turns = new CallerTurns(PERCENT);
    private long now = TimeUnit.DAYS.toNanos(1);

    /** Whether it comes to owe too much within so many milliseconds, in each of which it spends so much. */
    private boolean owesTooMuchWithin(int millis, long each) {
        for (int i = 0; i < millis; i++) {
            now += MILLI;
            turns.spend(each);
            if (turns.owesTooMuch(now)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void one_whose_share_is_used_up_by_finding_does_not_wait_to_be_told_for_ever() {
        assertThat(turns.owesTooMuch(now)).isFalse();
        turns.spend(30 * MILLI);
        assertThat(owesTooMuchWithin(900, SHARE)).isFalse();
        assertThat(owesTooMuchWithin(200, SHARE)).isTrue();
        // Nothing is found for it any more, so it is told soon.
        now += turns.waitNanos(now, 1);
        assertThat(turns.owesTooMuch(now)).isFalse();
    }

    @Test
    void one_who_is_told_whenever_it_may_be_never_owes_too_much() {
        assertThat(turns.owesTooMuch(now)).isFalse();
        for (int i = 0; i < 1_000; i++) {
            now += turns.waitNanos(now, 10_000);
            assertThat(turns.waitNanos(now, 10_000)).isZero();
            turns.spend(5 * MILLI);
            assertThat(turns.owesTooMuch(now)).isFalse();
        }
    }
}
