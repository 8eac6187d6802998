package dev.holdfast.client.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A candidate in an election: at most one candidate leads at a time, and the next in line follows it.
 *
 * <pre>
 *          campaign               the grant is committed
 *   IDLE -----------> CAMPAIGNING -----------------------> LEADING
 *    ^                     |                                  |
 *    +---------------------+----------------------------------+
 *      resign, interrupt, cancel          resign, or the grant is lost
 * </pre>
 *
 * <p>The election is the lock {@link #KEY_PREFIX} + name, the leader its holder, the leader's value the metadata of the
 * grant, and the epoch its fencing token. As with any lock, a former leader may believe for a moment that it still
 * leads: only a guard that compares the {@link #epoch} keeps its late writes out.
 *
 * <p>Each time this candidate is elected, the {@link #onElected} listeners are called once, and the {@link #onDeposed}
 * listeners once afterwards: in order, one at a time, on callback threads.
 */
public interface Election extends AutoCloseable {
    /** The prefix of the keys of elections. */
    String KEY_PREFIX = "election/";

    /** The key of the election's lock. */
    String key();

    /**
     * Waits until this candidate is elected. An interrupt withdraws the candidacy.
     *
     * @param value what the others see of this leader, such as its address
     * @throws IllegalStateException if this candidate already campaigns or leads
     * @throws java.util.concurrent.CancellationException if it was withdrawn by {@link #resign} or {@link #close}
     */
    Leadership campaign(String value) throws InterruptedException;

    /** Like {@link #campaign}, without blocking a thread. Cancelling the future withdraws the candidacy. */
    CompletableFuture<Leadership> campaignAsync(String value);

    /**
     * Changes the leader's value.
     *
     * @throws LockLostException if this candidate does not lead
     */
    void proclaim(String value) throws InterruptedException;

    /**
     * Like {@link #proclaim}, without blocking a thread.
     *
     * @throws LockLostException if this candidate does not lead
     */
    CompletableFuture<Leadership> proclaimAsync(String value);

    /** Gives up the leadership or the candidacy, and waits until the cluster has confirmed it. */
    void resign() throws InterruptedException;

    /**
     * Like {@link #resign}, without blocking a thread: when this returns, the candidate no longer leads.
     *
     * @return whether it led until then; if so, completed when the cluster has confirmed it
     */
    CompletableFuture<Boolean> resignAsync();

    /** Whether this candidate leads, as far as clocks can be trusted. */
    boolean isLeader();

    /**
     * The fencing token of this candidate's leadership.
     *
     * @throws LockLostException if it does not lead
     */
    long epoch();

    /** Asks the cluster who leads now; empty if nobody does. */
    Optional<Leadership> leader() throws InterruptedException;

    /**
     * Calls back with the current leader, if there is one, and from then on with each new leader and each new value:
     * one call at a time, in order, on callback threads. A slow observer may miss leaders in between, but never the
     * current one.
     */
    Subscription observe(Consumer<Leadership> observer) throws InterruptedException;

    /** Calls back each time this candidate has been elected; at once if it already leads. */
    Election onElected(Consumer<Leadership> listener);

    /** Calls back each time this candidate stops leading, whether it resigned or not. */
    Election onDeposed(Consumer<Deposition> listener);

    /**
     * Resigns, and waits briefly for the listeners to be called; none is called afterwards. If a listener blocks for
     * longer, the remaining calls are dropped. From within a listener it does not wait: the remaining calls follow when
     * that listener returns.
     */
    @Override
    void close();
}
