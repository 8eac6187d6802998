package dev.holdfast.consensus;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A sequence of entries that a majority has on disk before anybody is told, applied in the same order by
 * every member's {@link Replica}.
 *
 * <p>One thread proposes. {@link #propose} returns when the entry has its place in this node's log or is refused,
 * so entries are applied in the order in which they were proposed; if one is refused, whoever proposes decides
 * what becomes of those behind it.
 */
public interface ReplicatedLog extends AutoCloseable {

    /** Loads snapshot and log into the replica, then takes part. */
    void start() throws IOException;

    /**
     * Appends an entry if this node leads in this very term, and to that term. Takes the array over. The future
     * never fails; it may be completed by any thread.
     */
    CompletableFuture<Outcome> propose(long term, byte[] entry);

    LogStatus status();

    /** The members alone, which costs less than the whole status. */
    default List<Member> members() {
        return status().members();
    }

    /**
     * Replaces the configuration in one step, if it is what the caller thinks it is. Only the leader can.
     *
     * @return completes when the new configuration is committed, or fails with a {@link LogException}
     */
    CompletableFuture<Void> reconfigure(List<Member> expected, List<Member> next);

    /**
     * Hands leadership on.
     *
     * @param to nobody in particular if empty
     * @return completes when the other leads, or fails with a {@link LogException}
     */
    CompletableFuture<Void> transferLeadership(Optional<NodeId> to, Duration atMost);

    /** Writes a snapshot now and forgets the log before it as far as nobody needs it; gives its index. */
    CompletableFuture<Long> snapshot();

    /** The newest snapshot kept here; a newer one may take its place before it is opened. */
    Optional<SnapshotFile> latestSnapshot();

    /** Stops taking part. Entries in flight may or may not be committed. */
    @Override
    void close();
}
