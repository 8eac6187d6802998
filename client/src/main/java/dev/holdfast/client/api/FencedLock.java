package dev.holdfast.client.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * An exclusive lock of the cluster that threads lock and unlock like a JDK lock, with method names known from Hazelcast
 * and Redisson.
 *
 * <p>It is reentrant: the thread that holds it may lock it again, without asking the cluster, up to 65,535 times, and
 * it is released when the thread has unlocked it as often. All views of one key of one client are views of one lock,
 * whether made by {@link HoldfastClient#javaLock}, {@link HoldfastClient#fencedLock} or {@link
 * HoldfastClient#readWriteLock}. A thread that ends without unlocking leaves the lock held until the client is closed.
 * To lock in one thread and unlock in another, use a {@link Grant}, which belongs to no thread.
 *
 * <p><b>Interrupts.</b> {@link #lock} and {@link #tryLock()} ignore interrupts and leave the flag as it is; the other
 * locking methods throw InterruptedException, also when the flag was set before, and leave nothing behind in the
 * cluster.
 *
 * <p><b>Order.</b> First come, first served. No method overtakes the waiters, not even {@link #tryLock()}.
 *
 * <p><b>Failure.</b> Unlike a lock within one process, this one may be unreachable. Every locking method throws a
 * {@link HoldfastException}, usually {@link UnavailableException}, if the cluster does not answer for as long as the
 * client retries ({@link RetryPolicy}); the lock is then not held. A method that would wait for ever throws {@link
 * DeadlockException}.
 *
 * <p><b>Loss.</b> The lock may also be lost while it is held (see {@link Grant}). From then on everything that relies
 * on it throws {@link LockLostException}: locking again, {@link #getFence}, and {@link #unlock}, as often as the thread
 * has to unlock. After the last unlock the thread can lock again. It cannot before, because its enclosing blocks still
 * assume that they hold the lock. Nothing is thrown between two calls: what must not be done without the lock has to be
 * guarded by its fence.
 */
public interface FencedLock extends Lock {
    /** A value that is never the fence of a held lock. */
    long INVALID_FENCE = 0;

    /** Locks, like {@link #lock}. */
    long lockAndGetFence();

    /**
     * Locks if that is possible at once, like {@link #tryLock()}.
     *
     * @return the fence; {@link #INVALID_FENCE} if the lock could not be taken
     */
    long tryLockAndGetFence();

    /**
     * Locks if that is possible within a time, like {@link #tryLock(long, TimeUnit)}.
     *
     * @return the fence; {@link #INVALID_FENCE} if the lock could not be taken
     */
    long tryLockAndGetFence(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Locks, if that is possible within {@code waitTime}, for at most {@code leaseTime}. When that is over, the lock is
     * lost. A thread that already holds the lock locks it once more and keeps its lease time.
     *
     * @param waitTime zero or less not to wait
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
     * <p>Programs ask this before they unlock, so a thread that learns of a loss here counts as having unlocked: it can
     * lock again, even if it does not unlock.
     *
     * @throws LockLostException if this thread lost it
     */
    boolean isLockedByCurrentThread();

    /**
     * How often this thread has locked the lock and not yet unlocked it. For a thread that does not hold it: 1 if
     * somebody does, otherwise 0, because re-entries are counted only by the holder.
     *
     * @throws LockLostException if this thread lost it
     */
    int getLockCount();
}
