package dev.holdfast.client;

import dev.holdfast.client.session.Session;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
public final class Election implements AutoCloseable {
    /** What the keys of elections start with. */
    public static final String KEY_PREFIX = "election/";

    private final Session session;
    private final String key;
    private final Candidate candidate;

    Election(Session session, String key, Supplier<LockCall> calls) {
        this.session = session;
        this.key = key;
        this.candidate = new Candidate(session, () -> calls.get().purpose("election"));
    }

    /** The key of its lock. */
    public String key() {
        return key;
    }

    /**
     * Waits until this candidate is elected. An interrupt takes the candidature back.
     *
     * @param value what the others are to know of this leader, such as its address
     * @throws IllegalStateException if this candidate campaigns or leads already
     * @throws java.util.concurrent.CancellationException if it was taken back by {@link #resign} or {@link #close}
     */
    public Leadership campaign(String value) throws InterruptedException {
        return candidate.campaign(value);
    }

    /** As {@link #campaign}, without a thread that waits. Cancelling the future takes the candidature back. */
    public CompletableFuture<Leadership> campaignAsync(String value) {
        return candidate.campaignAsync(value);
    }

    /**
     * Changes the leader's value.
     *
     * @throws LockLostException if this candidate does not lead
     */
    public void proclaim(String value) throws InterruptedException {
        leading().proclaim(value);
    }

    /**
     * As {@link #proclaim}, without a thread that waits.
     *
     * @throws LockLostException if this candidate does not lead
     */
    public CompletableFuture<Leadership> proclaimAsync(String value) {
        return leading().proclaimAsync(value);
    }

    /** Gives up the leadership, or the candidature, and waits until the cluster knows. */
    public void resign() throws InterruptedException {
        Optional<Term> left = candidate.resign();
        if (left.isPresent()) {
            var unused = left.get().grant().release();
        }
    }

    /**
     * As {@link #resign}, without a thread that waits: this candidate leads no more when this returns.
     *
     * @return whether it led until then; if so, told when the cluster knows
     */
    public CompletableFuture<Boolean> resignAsync() {
        return candidate
                .resign()
                .map(left -> left.grant().releaseAsync().thenApply(outcome -> true))
                .orElseGet(() -> CompletableFuture.completedFuture(false));
    }

    /** Whether this candidate leads, as far as clocks can be trusted to tell. */
    public boolean isLeader() {
        return candidate.term().filter(Term::isValid).isPresent();
    }

    /**
     * The fencing token of this candidate's leadership.
     *
     * @throws LockLostException if it does not lead
     */
    public long epoch() {
        return leading().leadership().epoch();
    }

    private Term leading() {
        return candidate
                .term()
                .filter(Term::isValid)
                .orElseThrow(() -> new LockLostException("this candidate does not lead " + key));
    }

    /** Who leads now; empty if nobody does. Asked of the cluster. */
    public Optional<Leadership> leader() throws InterruptedException {
        return Term.leader(new Questions(session, false).lookAt(key));
    }

    /**
     * Calls back with the present leader, if there is one, and from then on with each that is elected and each new
     * value: one call at a time, in order, on callback threads. An observer that is slow may miss leaders in between,
     * never the present one.
     */
    public Subscription observe(Consumer<Leadership> observer) throws InterruptedException {
        Observing observing = new Observing(session, key, observer);
        observing.begin();
        return observing;
    }

    /** Calls back each time this candidate is elected, which is certain then; at once if it leads. */
    public Election onElected(Consumer<Leadership> listener) {
        candidate.onElected(listener);
        return this;
    }

    /** Calls back each time this candidate leads no more, by its own will or not. */
    public Election onDeposed(Consumer<Deposition> listener) {
        candidate.onDeposed(listener);
        return this;
    }

    /**
     * Resigns, and waits a little for the listeners to be told; none is called afterwards. Should a listener block for
     * longer, what is due is not told any more. From within a listener it does not wait: what is due follows when that
     * listener returns.
     */
    @Override
    public void close() {
        candidate.close();
    }
}
