package dev.holdfast.client.view;

import dev.holdfast.client.grant.AcquireOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A lock in one of its modes, as the JDK knows locks. It has no state: what is held is known by {@link Views}. */
class ModeView implements Lock {
    /** Longer is as good as for ever, and as long as the cluster counts. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Views views;
    private final String key;
    private final boolean shared;

    ModeView(Views views, String key, boolean shared) {
        this.views = views;
        this.key = key;
        this.shared = shared;
    }

    final Views views() {
        return views;
    }

    final String key() {
        return key;
    }

    final Optional<Hold> mine() {
        return views.holds().mine(key, shared);
    }

    @Override
    public void lock() {
        boolean unused = views.holds()
                .enter(
                        key,
                        shared,
                        true,
                        () -> Optional.of(views.acquire(options()).awaitGrantUninterruptibly()));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        throwIfInterrupted();
        boolean unused = views.holds()
                .enter(
                        key,
                        shared,
                        true,
                        () -> Optional.of(views.acquire(options()).awaitGrant()));
    }

    @Override
    public boolean tryLock() {
        return views.holds()
                .enter(
                        key,
                        shared,
                        false,
                        () -> views.acquire(options().withWait(0)).awaitUninterruptibly());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(bounded(time, unit), options());
    }

    /** Locks within a time. */
    final boolean tryLock(Duration wait, AcquireOptions options) throws InterruptedException {
        throwIfInterrupted();
        return views.holds()
                .enter(
                        key,
                        shared,
                        !wait.isZero(),
                        () -> views.acquire(options.withWait(wait.toNanos())).await());
    }

    @Override
    public void unlock() {
        views.holds().leave(key, shared);
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "a lock of a cluster has no conditions: to wait for another process, use"
                        + " a semaphore (HoldfastClient.semaphore), or a lock that the other holds until it is done");
    }

    final AcquireOptions options() {
        return views.options(key, shared);
    }

    /** What the JDK's locks take, as a time that the cluster takes: nothing below zero, nothing without end. */
    static Duration bounded(long time, TimeUnit unit) {
        return Duration.ofNanos(Math.min(unit.toNanos(Math.max(time, 0)), LONGEST.toNanos()));
    }

    /** Before anything else, as the JDK does: even where no wait would have come. */
    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public String toString() {
        return "Lock[" + key + (shared ? ", shared" : "") + "]";
    }
}
