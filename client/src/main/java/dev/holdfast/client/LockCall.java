package dev.holdfast.client;

import com.google.protobuf.ByteString;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockTimeoutException;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.grant.Grants;
import dev.holdfast.client.session.Identity;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a lock, before it is asked.
 *
 * <p>Made by {@link HoldfastClient#lock}, {@link HoldfastClient#lockAll} and {@link HoldfastClient#semaphore}. It can be
 * used again and again, by one thread at a time.
 */
public final class LockCall {
    private static final Duration LONGEST = Duration.ofMillis(1L << 42);

    private final Grants grants;
    private final Identity identity;
    private List<Item> items;
    private @Nullable Duration wait;
    private Duration lease = Duration.ZERO;
    private Duration lockDelay = Duration.ZERO;
    private Duration maxHold = Duration.ZERO;
    private String purpose = "";
    private @Nullable ByteString metadata;

    LockCall(Grants grants, Identity identity, List<Item> items) {
        this.grants = grants;
        this.identity = identity;
        this.items = items;
    }

    /** Together with others who ask for it shared. */
    public LockCall shared() {
        items = items.stream()
                .map(item -> item.toBuilder().setMode(Mode.SHARED).build())
                .toList();
        return this;
    }

    /** Each key with everything below it: {@code a} and {@code a/b} and {@code a/b/c}. */
    public LockCall subtree() {
        items = items.stream()
                .map(item -> item.toBuilder().setKind(Kind.SUBTREE).build())
                .toList();
        return this;
    }

    /** Waits no longer than this; the cluster keeps the time. */
    public LockCall waitAtMost(Duration longest) {
        wait = notNegative("wait", longest);
        return this;
    }

    /**
     * With a lease of its own instead of the client's: it lives so long after the last renewal, and the grant can be
     * {@link Grant#export exported}.
     */
    public LockCall lease(Duration ttl) {
        lease = positive("lease", ttl);
        return this;
    }

    /** Should this holder be lost, the keys stay closed for so long. The grant has a lease of its own. */
    public LockCall lockDelay(Duration delay) {
        lockDelay = notNegative("lockDelay", delay);
        return this;
    }

    /** For no longer than this, renewed or not. */
    public LockCall maxHold(Duration longest) {
        maxHold = positive("maxHold", longest);
        return this;
    }

    /** What it is for: shown to whoever asks who holds the lock. */
    public LockCall purpose(String text) {
        purpose = text;
        return this;
    }

    /** Shown with the grant, instead of host, process and thread. */
    public LockCall metadata(byte[] bytes) {
        metadata = ByteString.copyFrom(bytes);
        return this;
    }

    /**
     * Waits for the lock.
     *
     * @throws LockTimeoutException if a {@link #waitAtMost} was set and has passed
     */
    public Grant acquire() throws InterruptedException {
        return grants.acquire(options(forever(), actor())).awaitGrant();
    }

    /** Waits for the lock whatever happens to the thread; an interrupt is kept for later. */
    public Grant acquireUninterruptibly() {
        return grants.acquire(options(forever(), actor())).awaitGrantUninterruptibly();
    }

    /** Takes the lock if it is free, or becomes free within the {@link #waitAtMost} that was set. */
    public Optional<Grant> tryAcquire() throws InterruptedException {
        return grants.acquire(options(atOnce(), actor())).await();
    }

    /** As {@link #tryAcquire}, whatever happens to the thread; an interrupt is kept for later. */
    public Optional<Grant> tryAcquireUninterruptibly() {
        return grants.acquire(options(atOnce(), actor())).awaitUninterruptibly();
    }

    /**
     * Acquires without a thread that waits. Cancelling the future takes the request back and leaves nothing behind.
     *
     * @return fails with {@link LockTimeoutException} if a {@link #waitAtMost} was set and has passed
     */
    public CompletableFuture<Grant> acquireAsync() {
        return grants.acquire(options(forever(), 0)).grantFuture();
    }

    /** As {@link #tryAcquire}, without a thread that waits. */
    public CompletableFuture<Optional<Grant>> tryAcquireAsync() {
        return grants.acquire(options(atOnce(), 0)).future(found -> found);
    }

    private static long actor() {
        return Thread.currentThread().getId();
    }

    private long forever() {
        return wait == null ? AcquireOptions.FOREVER : wait.toNanos();
    }

    private long atOnce() {
        return wait == null ? 0 : wait.toNanos();
    }

    private AcquireOptions options(long waitNanos, long actor) {
        ByteString shown = metadata;
        return new AcquireOptions(
                items,
                waitNanos,
                lease.toMillis(),
                lockDelay.toMillis(),
                maxHold.toMillis(),
                purpose,
                shown == null ? identity.metadata() : shown,
                actor);
    }

    private static Duration positive(String name, Duration given) {
        if (given.toMillis() < 1) {
            throw new IllegalArgumentException(name + ": must be at least 1 ms, is " + given);
        }
        return notNegative(name, given);
    }

    private static Duration notNegative(String name, Duration given) {
        if (given.isNegative() || given.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + ": must be from 0 to " + LONGEST + ", is " + given);
        }
        return given;
    }
}
