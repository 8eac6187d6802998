package dev.holdfast.client.api;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lock that is held, or was.
 *
 * <p>It belongs to whoever has the object, not to a thread: any thread may use it or give it back.
 *
 * <pre>
 *          no answer for 2/3 of the TTL            an answer
 *   HELD ------------------------------> JEOPARDY -----------> HELD
 *    |                                      |
 *    | close, release                       | the deadline, or the cluster says so
 *    v                                      v
 * RELEASED                                LOST
 * </pre>
 *
 * <p>A grant is valid until its deadline, which is counted from the moment the last answered renewal was <em>sent</em>
 * and shortened by what clocks may differ. It ends there by itself, network or not. Between a check and the write it
 * protects time passes all the same: only a guard that compares {@link #token} keeps a stale write out.
 */
public interface Grant extends AutoCloseable {
    /** What has become of a grant. */
    enum State {
        HELD,
        /** Still valid, but the cluster has not answered for a while. */
        JEOPARDY,
        LOST,
        RELEASED
    }

    /** What a release found. */
    enum Outcome {
        RELEASED,
        /** It had ended before: by its lease, by force, or by an earlier release. */
        ALREADY_RELEASED,
        /** The grant is not this client's. */
        NOT_HOLDER
    }

    /** The fencing token: higher than that of every earlier grant of the same keys. */
    long token();

    /** The key; the first of several. */
    String key();

    /** All keys, in byte order. */
    List<String> keys();

    boolean isShared();

    /** Which permits of a semaphore these are, from 0; empty for other locks. */
    List<Integer> slots();

    State state();

    /** Whether the lock is certainly still held, as far as clocks can be trusted to tell. */
    boolean isValid();

    /** How long it stays valid if nothing more is heard from the cluster; zero if it is not. */
    Duration remaining();

    /**
     * Checks that it stays valid for a while, before something is begun that takes so long.
     *
     * @throws LockLostException if it may not
     */
    void requireValid(Duration needed);

    /** Calls back once if the grant is lost; at once if it is. Never for one that was released. */
    Grant onLost(Consumer<Loss> listener);

    /** Completes if the grant is lost. Never, if it is released first. */
    CompletionStage<Loss> lost();

    /** Calls back each time the grant gets into {@link State#JEOPARDY}. */
    Grant onJeopardy(Runnable listener);

    /** Interrupts a thread if the grant is lost, and no more once it is released. */
    Grant interruptOnLoss(Thread thread);

    /**
     * SerialExecutor a shared grant into an exclusive one, ahead of all who wait. It gets a new token.
     *
     * @throws DeadlockException if another holder asked for the same before
     */
    void upgrade() throws InterruptedException;

    /**
     * SerialExecutor a shared grant into an exclusive one, if it can be had in time.
     *
     * @return whether it is exclusive now; if not, it is shared as before
     */
    boolean upgrade(Duration wait) throws InterruptedException;

    /** As {@link #upgrade(Duration)}, without a thread that waits; cancelling the future takes nothing back. */
    CompletableFuture<Boolean> upgradeAsync(Duration wait);

    /** SerialExecutor an exclusive grant into a shared one, under the same token. */
    void downgrade() throws InterruptedException;

    /** As {@link #downgrade}, without a thread that waits; completes with true. */
    CompletableFuture<Boolean> downgradeAsync();

    /** Changes the metadata that others see with this grant. */
    void describe(byte[] metadata) throws InterruptedException;

    /** As {@link #describe}, without a thread that waits; completes with true. */
    CompletableFuture<Boolean> describeAsync(byte[] metadata);

    /**
     * Gives the grant out of this client's hands, to be taken up by {@link HoldfastClient#adopt} elsewhere within its
     * lease. Whoever has the text has the lock. Only a grant with a lease of its own can go ({@link LockCall#lease}).
     *
     * @return an opaque text; this object is as released from now on
     */
    String export();

    /**
     * Gives the lock back and returns at once: the release goes out before whatever this client asks for next, and is
     * repeated until it is certain. Does nothing to a grant that was lost or released; never throws.
     */
    @Override
    void close();

    /** Gives the lock back and waits for the answer. */
    Outcome release() throws InterruptedException;

    /** Gives the lock back. */
    CompletableFuture<Outcome> releaseAsync();
}
