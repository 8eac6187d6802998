package dev.holdfast.client.api;

import java.util.List;
import java.util.Optional;

/**
 * Questions about locks. They change nothing, and fail with {@link UnavailableException} if no node answers within the
 * time of the client's {@link dev.holdfast.client.RetryPolicy}.
 */
public interface LockQueries {
    /** Returns a lock; empty if nobody holds it or waits for it. */
    Optional<LockInfo> get(String key) throws InterruptedException;

    /**
     * Returns locks that are held or waited for, ordered by key. A long list is read in several steps, so it may show
     * different moments.
     *
     * @param prefix what the keys start with; the empty string for all keys
     * @param limit the maximum number of locks to return
     */
    List<LockInfo> list(String prefix, int limit) throws InterruptedException;

    /** Explains why this client waits: one explanation for each of its waiting requests. */
    List<Explanation> explain() throws InterruptedException;

    /**
     * Returns what happened to a key, newest first, as far back as the cluster remembers.
     *
     * @param limit the maximum number of events to return; the cluster may return fewer
     */
    List<WatchEvent> history(String key, int limit) throws InterruptedException;
}
