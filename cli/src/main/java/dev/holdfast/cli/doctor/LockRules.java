package dev.holdfast.cli.doctor;

import dev.holdfast.cli.output.Durations;
import dev.holdfast.client.api.Election;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.StatusResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the users of the locks should look at: long holds, long queues, limits that come near. */
final class LockRules {
    private static final int NAMED = 3;
    private static final int NEAR_PERCENT = 80;

    private LockRules() {}

    /** What is much. */
    record Thresholds(Duration longHold, int manyWaiters) {}

    static Stream<Finding> of(Observation seen, Thresholds much) {
        return Stream.of(
                        longHolds(seen, much.longHold().toMillis()).stream(),
                        longQueues(seen, much.manyWaiters()).stream(),
                        near(seen, "LEASES", leases(seen), "leases live").stream(),
                        near(seen, "WAITERS_PER_KEY", longestQueue(seen), "wait for one key").stream(),
                        notAll(seen).stream())
                .flatMap(found -> found);
    }

    /** Whoever leads an election holds its lock as long as it lives, and that is right. */
    private static Optional<Finding> longHolds(Observation seen, long millis) {
        List<LockRecord> held = seen.locks().stream()
                .filter(lock -> lock.getWaiterCount() > 0 && !lock.getKey().startsWith(Election.KEY_PREFIX))
                .filter(lock -> heldMillis(lock) > millis)
                .sorted(Comparator.comparingLong(LockRules::heldMillis).reversed())
                .toList();
        return held.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        "LONG_HOLD",
                        counted(held.size(), "lock") + " held for longer than " + Durations.text(millis)
                                + " while others wait: "
                                + words(
                                        held,
                                        lock -> Durations.text(heldMillis(lock)) + ", "
                                                + counted(lock.getWaiterCount(), "waiter")),
                        "a holder that keeps its lease alive but never releases blocks everyone who waits",
                        "see who it is: holdfast show " + held.get(0).getKey()
                                + "; if it is stuck: holdfast break "
                                + held.get(0).getKey()
                                + " --grant ID --reason …"));
    }

    private static Optional<Finding> longQueues(Observation seen, int many) {
        List<LockRecord> crowded = seen.locks().stream()
                .filter(lock -> lock.getWaiterCount() >= many && !lock.getKey().startsWith(Election.KEY_PREFIX))
                .sorted(Comparator.comparingInt(LockRecord::getWaiterCount).reversed())
                .toList();
        return crowded.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        "LONG_QUEUE",
                        counted(crowded.size(), "lock") + " with " + many + " waiters or more: "
                                + words(crowded, lock -> counted(lock.getWaiterCount(), "waiter")),
                        "the last in line waits for everyone ahead",
                        "hold it for less time, or split it into several keys; see it live: holdfast top"));
    }

    private static Optional<Finding> near(Observation seen, String limit, long now, String what) {
        return seen.limit(limit)
                .filter(most -> now * 100 >= most * NEAR_PERCENT)
                .map(most -> Finding.warning(
                        "NEAR_LIMIT",
                        now + " " + what + ", " + limit + " is " + most,
                        "requests beyond a limit are refused with QUOTA_EXCEEDED",
                        "find out who needs so many, or raise the limit: holdfast limits " + "set " + limit + " "
                                + 2 * most));
    }

    private static Optional<Finding> notAll(Observation seen) {
        return seen.locksAreAll()
                ? Optional.empty()
                : Optional.of(Finding.note(
                        "LOCKS_NOT_ALL_SEEN",
                        "only the first " + seen.locks().size() + " locks, ordered by key, were checked",
                        "a long hold or queue among the others was not noticed",
                        "holdfast doctor --locks N checks more"));
    }

    private static long leases(Observation seen) {
        return seen.statuses().mapToLong(StatusResponse::getLeases).max().orElse(0);
    }

    private static long longestQueue(Observation seen) {
        return seen.locks().stream().mapToLong(LockRecord::getWaiterCount).max().orElse(0);
    }

    private static long heldMillis(LockRecord lock) {
        return lock.getHoldersList().stream().mapToLong(Holder::getHeldMs).max().orElse(0);
    }

    private interface Words {
        String of(LockRecord lock);
    }

    private static String words(List<LockRecord> locks, Words about) {
        String named = locks.stream()
                .limit(NAMED)
                .map(lock -> lock.getKey() + " (" + about.of(lock) + ")")
                .collect(Collectors.joining(", "));
        return named + (locks.size() > NAMED ? " and " + (locks.size() - NAMED) + " more" : "");
    }

    private static String counted(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
