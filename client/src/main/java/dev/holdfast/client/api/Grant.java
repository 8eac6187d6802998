package dev.holdfast.client.api;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lock that is held, or was.
 *
 * <p>It belongs to whoever has the object, not to a thread: any thread may use or release it.
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
 * and shortened by as much as clocks may differ. It ends there by itself, with or without a network. But time passes
 * between a check and the write it protects: only a guard that compares {@link #token} keeps a stale write out.
 */
public interface Grant extends AutoCloseable {
    /** The state of a grant. */
    enum State {
        HELD,
        /** Still valid, but the cluster has not answered for a while. */
        JEOPARDY,
        LOST,
        RELEASED
    }

    /** The result of a release. */
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

    /** Which permits of a semaphore these are, from 0; those of several semaphores one after the other. */
    List<Integer> slots();

    /** Which permits of the semaphore {@code key} these are, from 0; empty if the grant has none of it. */
    Slots slots(String key);

    State state();

    /** Whether the lock is certainly still held, as far as clocks can be trusted. */
    boolean isValid();

    /** How long it stays valid if nothing more is heard from the cluster; zero if it is no longer valid. */
    Duration remaining();

    /**
     * Checks that the grant stays valid for at least {@code needed}, before something is started that takes that long.
     *
     * @throws LockLostException if it may end sooner
     */
    void requireValid(Duration needed);

    /** Calls back once if the grant is lost; immediately if it already is. Never for a grant that was released. */
    Grant onLost(Consumer<Loss> listener);

    /** Completes if the grant is lost; never if it is released first. */
    CompletionStage<Loss> lost();

    /** Calls back each time the grant gets into {@link State#JEOPARDY}. */
    Grant onJeopardy(Runnable listener);

    /** Interrupts a thread if the grant is lost; no longer once it is released. */
    Grant interruptOnLoss(Thread thread);

    /**
     * Turns a shared grant into an exclusive one, ahead of all waiters. It gets a new token.
     *
     * @throws DeadlockException if another holder requested the same before
     */
    void upgrade() throws InterruptedException;

    /**
     * Turns a shared grant into an exclusive one if that is possible within {@code wait}.
     *
     * @return whether it is exclusive now; if not, it is still shared
     */
    boolean upgrade(Duration wait) throws InterruptedException;

    /**
     * Like {@link #upgrade(Duration)}, without blocking a thread; cancelling the future does not cancel the upgrade.
     */
    CompletableFuture<Boolean> upgradeAsync(Duration wait);

    /** Turns an exclusive grant into a shared one, under the same token. */
    void downgrade() throws InterruptedException;

    /** Like {@link #downgrade}, without blocking a thread; completes with true. */
    CompletableFuture<Boolean> downgradeAsync();

    /** Changes the metadata that others see with this grant. */
    void describe(byte[] metadata) throws InterruptedException;

    /** Like {@link #describe}, without blocking a thread; completes with true. */
    CompletableFuture<Boolean> describeAsync(byte[] metadata);

    /**
     * Gives the grant away, so that {@link HoldfastClient#adopt} can take it over elsewhere while its lease lasts.
     * Whoever has the text has the lock. Only a grant with its own lease can be exported ({@link LockCall#lease}).
     *
     * @return an opaque text; this object behaves as if released from now on
     */
    String export();

    /**
     * Releases the lock and returns at once: the release is sent before this client's next request, and is repeated
     * until it is confirmed. Does nothing for a grant that was lost or released; never throws.
     */
    @Override
    void close();

    /** Releases the lock and waits for the answer. */
    Outcome release() throws InterruptedException;

    /** Releases the lock. */
    CompletableFuture<Outcome> releaseAsync();
}
