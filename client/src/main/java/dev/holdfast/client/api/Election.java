package dev.holdfast.client.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A candidate in an election: at most one of all candidates leads at a time, and the next in order follows.
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
 * grant, and the epoch its fencing token. As with any lock, a leader may believe for a moment that it still is one:
 * only a guard that compares the {@link #epoch} keeps its late writes out.
 *
 * <p>Each time this candidate is elected, the {@link #onElected} listeners are called once, and the {@link #onDeposed}
 * listeners once afterwards: in order, one at a time, on callback threads.
 */
public interface Election extends AutoCloseable {
    /** What the keys of elections start with. */
    String KEY_PREFIX = "election/";

    /** The key of its lock. */
    String key();

    /**
     * Waits until this candidate is elected. An interrupt takes the candidature back.
     *
     * @param value what the others are to know of this leader, such as its address
     * @throws IllegalStateException if this candidate campaigns or leads already
     * @throws java.util.concurrent.CancellationException if it was taken back by {@link #resign} or {@link #close}
     */
    Leadership campaign(String value) throws InterruptedException;

    /** As {@link #campaign}, without a thread that waits. Cancelling the future takes the candidature back. */
    CompletableFuture<Leadership> campaignAsync(String value);

    /**
     * Changes the leader's value.
     *
     * @throws LockLostException if this candidate does not lead
     */
    void proclaim(String value) throws InterruptedException;

    /**
     * As {@link #proclaim}, without a thread that waits.
     *
     * @throws LockLostException if this candidate does not lead
     */
    CompletableFuture<Leadership> proclaimAsync(String value);

    /** Gives up the leadership, or the candidature, and waits until the cluster knows. */
    void resign() throws InterruptedException;

    /**
     * As {@link #resign}, without a thread that waits: this candidate leads no more when this returns.
     *
     * @return whether it led until then; if so, told when the cluster knows
     */
    CompletableFuture<Boolean> resignAsync();

    /** Whether this candidate leads, as far as clocks can be trusted to tell. */
    boolean isLeader();

    /**
     * The fencing token of this candidate's leadership.
     *
     * @throws LockLostException if it does not lead
     */
    long epoch();

    /** Who leads now; empty if nobody does. Asked of the cluster. */
    Optional<Leadership> leader() throws InterruptedException;

    /**
     * Calls back with the present leader, if there is one, and from then on with each that is elected and each new
     * value: one call at a time, in order, on callback threads. An observer that is slow may miss leaders in between,
     * never the present one.
     */
    Subscription observe(Consumer<Leadership> observer) throws InterruptedException;

    /** Calls back each time this candidate is elected, which is certain then; at once if it leads. */
    Election onElected(Consumer<Leadership> listener);

    /** Calls back each time this candidate leads no more, by its own will or not. */
    Election onDeposed(Consumer<Deposition> listener);

    /**
     * Resigns, and waits a little for the listeners to be told; none is called afterwards. Should a listener block for
     * longer, what is due is not told any more. From within a listener it does not wait: what is due follows when that
     * listener returns.
     */
    @Override
    void close();
}
