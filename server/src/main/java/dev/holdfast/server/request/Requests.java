package dev.holdfast.server.request;

import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.fair.Flow;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What the edges ask of a cluster, wherever its leader is.
 *
 * <p>A future completes once the entry has been applied by the leader, or fails with a {@link
 * RequestFailure}. Requests of one flow from one thread are applied in the order in which they were
 * made, if at all; flows take turns.
 */
public interface Requests {
    /** What applying a command gave, and where. */
    record Answer(Result result, Stamp stamp) {}

    /**
     * What became of renewals.
     *
     * @param ends for each lease its end in cluster time, or {@link dev.holdfast.core.result.Applied#NOT_RENEWED}
     */
    // The array is handed over.
    @SuppressWarnings("ArrayRecordComponent")
    record Renewed(long[] ends, Stamp stamp) {}

    CompletableFuture<Answer> submit(Flow flow, Command command);

    /** Renews leases of a principal. They may wait a little for an entry that leaves anyway. */
    CompletableFuture<Renewed> renew(Flow flow, String principal, long[] leases);

    /** Where the log was at some moment after this call: a replica that has come so far reads no old state. */
    CompletableFuture<Stamp> barrier(Flow flow);

    /** Whether a command gives something back: a flood of others must not keep it out. */
    static boolean givesBack(Command command) {
        return switch (command.kind()) {
            case RELEASE, CANCEL, REVOKE_LEASE -> true;
            case GRANT_LEASE,
                    EXTEND_LEASE,
                    ACQUIRE,
                    UPGRADE,
                    DOWNGRADE,
                    DESCRIBE,
                    FORCE_RELEASE,
                    SET_LIMIT,
                    RAISE_FEATURE_LEVEL -> false;
        };
    }

    /** Runs something that submits several requests: those that fit share an entry. */
    default <T> T together(Supplier<T> submissions) {
        return submissions.get();
    }
}
