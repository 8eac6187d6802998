package dev.holdfast.client.view;

import dev.holdfast.client.api.FencedLock;
import dev.holdfast.client.grant.AcquireOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An exclusive lock under the names of the JDK, Hazelcast and Redisson. */
final class ExclusiveView extends ModeView implements FencedLock {
    private static final long UNLIMITED = -1;

    ExclusiveView(Views views, String key) {
        super(views, key, false);
    }

    @Override
    public long lockAndGetFence() {
        lock();
        return token();
    }

    @Override
    public long tryLockAndGetFence() {
        return tryLock() ? token() : INVALID_FENCE;
    }

    @Override
    public long tryLockAndGetFence(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(time, unit) ? token() : INVALID_FENCE;
    }

    @Override
    public boolean tryLock(long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException {
        AcquireOptions options = options();
        if (leaseTime != UNLIMITED) {
            Duration lease = bounded(leaseTime, unit);
            if (lease.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "leaseTime: must be at least 1 ms, or -1 for no limit, is " + leaseTime + " " + unit);
            }
            options = options.withMaxHold(lease.toMillis());
        }
        return tryLock(bounded(waitTime, unit), options);
    }

    /** For one who has just come in: to throw here would leave a caller inside who knows nothing of it. */
    private long token() {
        return hold().token();
    }

    private Hold hold() {
        return mine().orElseThrow(() -> Holds.notHeld(key()));
    }

    @Override
    public long getFence() {
        Hold hold = hold();
        hold.requireValid();
        return hold.token();
    }

    @Override
    public boolean isLocked() {
        return getLockCount() > 0;
    }

    @Override
    public boolean isLockedByCurrentThread() {
        Optional<Hold> mine = mine();
        mine.ifPresent(Hold::requireValidOrForsake);
        return mine.isPresent();
    }

    @Override
    public int getLockCount() {
        Optional<Hold> mine = mine();
        mine.ifPresent(Hold::requireValid);
        return mine.map(hold -> hold.count(false)).orElseGet(() -> views().isHeldByAnybody(key()) ? 1 : 0);
    }
}
