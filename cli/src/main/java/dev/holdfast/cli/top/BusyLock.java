package dev.holdfast.cli.top;

import dev.holdfast.cli.output.Durations;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.Waiter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A lock worth looking at.
 *
 * @param lock as it is; empty if nobody held or awaited it when it was looked at
 */
record BusyLock(String key, double grantsPerSecond, Optional<LockRecord> lock) {

    /** What the list is sorted by. */
    enum Order {
        GRANTS,
        WAITERS,
        WAIT
    }

    /** All that were granted or are in use, the busiest first. */
    static List<BusyLock> of(GrantCounts.Interval interval, List<LockRecord> locks, Order order, int most) {
        Map<String, LockRecord> byKey = new LinkedHashMap<>();
        locks.forEach(lock -> byKey.put(lock.getKey(), lock));
        return Stream.concat(
                        byKey.keySet().stream(),
                        interval.counts().keySet().stream().filter(key -> !byKey.containsKey(key)))
                .map(key -> new BusyLock(key, interval.perSecond(key), Optional.ofNullable(byKey.get(key))))
                .sorted(comparator(order))
                .limit(most)
                .toList();
    }

    private static Comparator<BusyLock> comparator(Order order) {
        Comparator<BusyLock> grants = Comparator.comparingDouble(BusyLock::grantsPerSecond);
        Comparator<BusyLock> waiters = Comparator.comparingInt(BusyLock::waiters);
        Comparator<BusyLock> wait = Comparator.comparingLong(BusyLock::longestWaitMillis);
        Comparator<BusyLock> most = switch (order) {
            case GRANTS -> grants.thenComparing(wait);
            case WAITERS -> waiters.thenComparing(wait);
            case WAIT -> wait.thenComparing(grants);
        };
        return most.reversed().thenComparing(BusyLock::key);
    }

    int waiters() {
        return lock.map(LockRecord::getWaiterCount).orElse(0);
    }

    /** The first in the queue has waited longest. */
    long longestWaitMillis() {
        return lock.map(record -> record.getWaitersList().stream()
                        .mapToLong(Waiter::getWaitingMs)
                        .max()
                        .orElse(0))
                .orElse(0L);
    }

    Object[] cells() {
        Optional<Holder> holder =
                lock.filter(record -> record.getHoldersCount() > 0).map(record -> record.getHolders(0));
        int more = lock.map(LockRecord::getHolderCount).orElse(0) - 1;
        return new Object[] {
            key,
            String.format(Locale.ROOT, "%.1f", grantsPerSecond),
            waiters(),
            waiters() == 0 ? "" : Durations.text(longestWaitMillis()),
            holder.map(Holder::getHolderId).orElse("") + (more > 0 ? " and " + more + " more" : ""),
            holder.map(first -> Durations.text(first.getHeldMs())).orElse(""),
            holder.map(Holder::getPurpose).orElse("")
        };
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("key", key);
        json.put("grants_per_second", grantsPerSecond);
        json.put("waiters", waiters());
        json.put("longest_wait_ms", longestWaitMillis());
        json.put("holders", lock.map(LockRecord::getHoldersList).orElse(List.of()));
        return json;
    }
}
