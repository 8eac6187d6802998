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
 * A request for a lock that is being put together.
 *
 * <p>Made by {@link HoldfastClient#lock}, {@link HoldfastClient#lockAll} and {@link HoldfastClient#semaphore}. It can
 * be used repeatedly, by one thread at a time.
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

    /** Takes the lock shared: others may hold it shared at the same time. */
    public LockCall shared() {
        items = items.stream()
                .map(item -> item.toBuilder().setMode(Mode.SHARED).build())
                .toList();
        return this;
    }

    /** Takes each key and every key below it: {@code a}, {@code a/b} and {@code a/b/c}. */
    public LockCall subtree() {
        items = items.stream()
                .map(item -> item.toBuilder().setKind(Kind.SUBTREE).build())
                .toList();
        return this;
    }

    /** Limits the wait; the cluster measures the time. */
    public LockCall waitAtMost(Duration longest) {
        wait = notNegative("wait", longest);
        return this;
    }

    /**
     * Gives the grant its own lease instead of the client's: it lasts for {@code ttl} after the last renewal, and the
     * grant can be {@link Grant#export exported}.
     */
    public LockCall lease(Duration ttl) {
        lease = positive("lease", ttl);
        return this;
    }

    /** Sets how long the keys stay locked if this holder is lost. The grant gets its own lease. */
    public LockCall lockDelay(Duration delay) {
        lockDelay = notNegative("lockDelay", delay);
        return this;
    }

    /** Limits how long the grant lasts, renewed or not. */
    public LockCall maxHold(Duration longest) {
        maxHold = positive("maxHold", longest);
        return this;
    }

    /** Says what the lock is taken for: shown to anyone who asks who holds it. */
    public LockCall purpose(String text) {
        purpose = text;
        return this;
    }

    /** Sets the metadata shown with the grant, instead of host, process and thread. */
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

    /** Waits for the lock even if the thread is interrupted; the interrupt flag is set again afterwards. */
    public Grant acquireUninterruptibly() {
        return grants.acquire(options(forever(), actor())).awaitGrantUninterruptibly();
    }

    /** Takes the lock if it is free, or becomes free within the {@link #waitAtMost} that was set. */
    public Optional<Grant> tryAcquire() throws InterruptedException {
        return grants.acquire(options(atOnce(), actor())).await();
    }

    /** Like {@link #tryAcquire}, even if the thread is interrupted; the interrupt flag is set again afterwards. */
    public Optional<Grant> tryAcquireUninterruptibly() {
        return grants.acquire(options(atOnce(), actor())).awaitUninterruptibly();
    }

    /**
     * Acquires the lock without blocking a thread. Cancelling the future cancels the request and leaves nothing behind.
     *
     * @return fails with {@link LockTimeoutException} if a {@link #waitAtMost} was set and has passed
     */
    public CompletableFuture<Grant> acquireAsync() {
        return grants.acquire(options(forever(), 0)).grantFuture();
    }

    /** Like {@link #tryAcquire}, without blocking a thread. */
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
