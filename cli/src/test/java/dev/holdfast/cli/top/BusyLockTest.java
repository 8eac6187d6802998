package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.Waiter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BusyLockTest {
    private static final GrantCounts.Interval INTERVAL =
            new GrantCounts.Interval(Map.of("often", 20, "free", 10, "rare", 1), 0, 2, true);
    private static final List<LockRecord> LOCKS = List.of(
            LockRecord.newBuilder().setKey("often").build(),
            LockRecord.newBuilder()
                    .setKey("crowded")
                    .setWaiterCount(9)
                    .addWaiters(Waiter.newBuilder().setWaitingMs(100))
                    .build(),
            LockRecord.newBuilder()
                    .setKey("rare")
                    .setWaiterCount(1)
                    .addWaiters(Waiter.newBuilder().setWaitingMs(5_000))
                    .build());

    private static List<String> keys(BusyLock.Order order, int most) {
        return BusyLock.of(INTERVAL, LOCKS, order, most).stream()
                .map(BusyLock::key)
                .toList();
    }

    @Test
    void what_is_asked_for_comes_first() {
        assertThat(keys(BusyLock.Order.GRANTS, 9)).containsExactly("often", "free", "rare", "crowded");
        assertThat(keys(BusyLock.Order.WAITERS, 2)).containsExactly("crowded", "rare");
        assertThat(keys(BusyLock.Order.WAIT, 2)).containsExactly("rare", "crowded");
    }

    @Test
    void a_lock_that_was_granted_and_is_free_again_is_shown_with_its_rate() {
        BusyLock free = BusyLock.of(INTERVAL, LOCKS, BusyLock.Order.GRANTS, 9).get(1);
        assertThat(free.grantsPerSecond()).isEqualTo(5);
        assertThat(free.lock()).isEmpty();
    }
}
