package dev.holdfast.client.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * An exclusive lock of the cluster that threads lock and unlock like one of the JDK, under names that are known from
 * Hazelcast and Redisson.
 *
 * <p>It is reentrant: the thread that holds it may lock it again, without asking the cluster, up to 65,535 times, and it
 * is released when the thread has unlocked it as often. All views of one key of one client are views of one lock, be
 * they made by {@link HoldfastClient#javaLock}, {@link HoldfastClient#fencedLock} or
 * {@link HoldfastClient#readWriteLock}. A thread that ends without unlocking leaves the lock held until the client is
 * closed. Who wants to lock here and unlock there takes a {@link Grant}, which belongs to no thread.
 *
 * <p><b>Interrupts.</b> {@link #lock} and {@link #tryLock()} take no notice and leave the flag as it is; the other ways
 * in throw InterruptedException, also when the flag was set before, and leave nothing behind in the cluster.
 *
 * <p><b>Order.</b> Whoever came first is first. No way in overtakes those who wait, {@link #tryLock()} among them.
 *
 * <p><b>Failure.</b> Unlike a lock within one process, this one may be out of reach. Every way in throws a
 * {@link HoldfastException}, mostly {@link UnavailableException}, when the cluster does not answer for as long as the
 * client tries ({@link RetryPolicy}), and then the lock is not held. One that would wait for ever throws
 * {@link DeadlockException}.
 *
 * <p><b>Loss.</b> It may also be lost while it is held (see {@link Grant}). From then on everything that relies on it
 * throws {@link LockLostException}: locking again, {@link #getFence}, and {@link #unlock}, as often as the thread has to
 * unlock. After the last of these the thread can lock anew. It cannot before, because the blocks that it is in still
 * take the lock for theirs. Between two calls nothing is thrown: what must not be done without the lock is guarded by
 * its fence.
 */
public interface FencedLock extends Lock {
    /** Never the fence of a lock that is held. */
    long INVALID_FENCE = 0;

    /** Locks, as {@link #lock}. */
    long lockAndGetFence();

    /**
     * Locks if that is possible at once, as {@link #tryLock()}.
     *
     * @return the fence; {@link #INVALID_FENCE} if the lock was not to be had
     */
    long tryLockAndGetFence();

    /**
     * Locks if that is possible within a time, as {@link #tryLock(long, TimeUnit)}.
     *
     * @return the fence; {@link #INVALID_FENCE} if the lock was not to be had
     */
    long tryLockAndGetFence(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Locks, if that is possible within a time, for no longer than another time. When that is over, the lock is lost.
     * A thread that holds the lock already goes in once more under the terms it has.
     *
     * @param waitTime zero or less for no wait
     * @param leaseTime at least 1 ms; -1 to hold it as long as the client renews it
     */
    boolean tryLock(long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException;

    /**
     * The fencing token of this thread's hold: higher than that of every earlier holder, the same for each re-entry.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws LockLostException if it was lost
     */
    long getFence();

    /**
     * Asks the cluster whether anybody holds the lock, in whatever mode. The answer may be old when it arrives.
     *
     * @throws LockLostException if this thread lost it
     */
    boolean isLocked();

    /**
     * Whether this thread holds the lock; without asking the cluster.
     *
     * <p>Programs ask this before they unlock, so who is told of a loss here is taken to have left: the thread can lock
     * anew, even if it does not unlock.
     *
     * @throws LockLostException if this thread lost it
     */
    boolean isLockedByCurrentThread();

    /**
     * How often this thread has locked the lock and not unlocked it; for a thread that does not hold it, whether
     * somebody does: 1 or 0. Re-entries are counted by each holder for itself.
     *
     * @throws LockLostException if this thread lost it
     */
    int getLockCount();
}
