package dev.holdfast.transcript.words;

import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Result;
import java.util.List;

/** Why something was refused: the code that a client sees, and what it means here. */
final class RefusalWords {
    private RefusalWords() {}

    static String of(Result.Refused refused, MachineView view) {
        return "(" + refused.code() + "): " + meaning(refused, view);
    }

    private static String meaning(Result.Refused refused, MachineView view) {
        String subject = refused.subject();
        return switch (refused.code()) {
            case LOCK_ALREADY_HELD ->
                refused.blockers().isEmpty() ? subject + " cannot be granted yet" : blockers(refused.blockers(), view);
            case TIMEOUT -> "waited for " + subject + " as long as asked";
            case DEADLOCK ->
                "would wait for ever: " + blockers(refused.blockers(), view)
                        + (refused.limit() == 0
                                ? ""
                                : ", the first " + refused.limit() + " of " + refused.actual() + " in the cycle");
            case LEASE_NOT_FOUND -> "there is no such lease";
            case LEASE_ENDED -> "the lease is over";
            case LEASE_EXISTS -> "the lease id is taken";
            case NOT_HOLDER -> "the grant of " + subject + " is not the caller's";
            case INVALID_ARGUMENT ->
                refused.limit() == 0 && refused.actual() == 0
                        ? subject + " does not fit"
                        : subject + " is " + Phrases.token(refused.actual()) + ", the bound is "
                                + Phrases.token(refused.limit());
            case QUOTA_EXCEEDED -> subject + " is " + refused.limit() + ", this would be " + refused.actual();
            case CANCELLED -> "the request was cancelled";
            case REQUEST_FORGOTTEN -> "request " + refused.actual() + " is forgotten, as all below " + refused.limit();
            case WINDOW_FULL ->
                refused.subject().equals("seq")
                        ? "the request is " + refused.actual() + " ahead of what is acknowledged, which must be below "
                                + refused.limit()
                        : subject + " is " + refused.limit() + ", unacknowledged answers would take "
                                + refused.actual();
            case KIND_MISMATCH ->
                subject + " is in use as " + kind(refused.limit()) + ", not as " + kind(refused.actual());
            case PARTIAL_OVERLAP -> "it overlaps at " + subject + " with what the same owner has or waits for";
            case GRANT_ENDED -> "the grant of " + subject + " ended before the upgrade";
        };
    }

    private static String kind(long capacity) {
        return capacity == 0 ? "a lock" : "a semaphore of " + capacity;
    }

    static String blockers(List<Result.Blocker> blockers, MachineView view) {
        return Phrases.and(
                blockers.stream().map(blocker -> blocker(blocker, view)).toList());
    }

    private static String blocker(Result.Blocker blocker, MachineView view) {
        String key = Phrases.key(blocker.key());
        if (blocker.token() == 0) {
            return blocker.clientId() + " waits ahead for " + key;
        }
        String token = " (token " + Phrases.token(blocker.token()) + ")";
        return isLingering(blocker, view)
                ? key + " is closed since " + blocker.clientId() + " was lost" + token
                : blocker.clientId() + " holds " + key + token;
    }

    /** The answer itself does not tell a holder from one that was lost. */
    private static boolean isLingering(Result.Blocker blocker, MachineView view) {
        return view.lock(blocker.key())
                .filter(lock -> lock.holders().stream()
                        .anyMatch(holder -> holder.lingering() && holder.token() == blocker.token()))
                .isPresent();
    }
}
