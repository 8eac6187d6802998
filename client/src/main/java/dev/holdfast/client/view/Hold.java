package dev.holdfast.client.view;

import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import java.time.Duration;

/**
 * What one thread has of one lock: a grant, and how often it went in.
 *
 * <pre>
 *   writes  reads   the grant
 *     &gt; 0     any   exclusive
 *       0   &gt; 0     shared; made so when the last write left
 *       0       0   given back
 * </pre>
 *
 * <p>Confined to its thread.
 */
final class Hold {
    /** As in the JDK's own {@link java.util.concurrent.locks.ReentrantReadWriteLock}. */
    static final int MOST = 65_535;

    private final Grant grant;
    private int reads;
    private int writes;
    private boolean forsaken;

    Hold(Grant grant) {
        this.grant = grant;
    }

    int count(boolean shared) {
        return shared ? reads : writes;
    }

    /** Whether what is held covers what is asked for. */
    boolean covers(boolean shared) {
        return shared || writes > 0;
    }

    long token() {
        return grant.token();
    }

    void requireValid() {
        grant.requireValid(Duration.ZERO);
    }

    /**
     * As {@link #requireValid}; but whoever hears of the loss in this way may never come to unlock, and needs not.
     *
     * @see #isForsaken
     */
    void requireValidOrForsake() {
        try {
            requireValid();
        } catch (LockLostException e) {
            forsaken = true;
            throw e;
        }
    }

    /** Whether the thread may begin anew though it has not unlocked what it lost. */
    boolean isForsaken() {
        return forsaken;
    }

    void enter(boolean shared) {
        if (count(shared) == MOST) {
            throw new Error("maximum lock count exceeded: this thread holds " + grant.key() + " " + MOST + " times");
        }
        change(shared, 1);
    }

    /** Goes out once; whether that was the last time. What is not needed any more is still to be given back. */
    boolean leave(boolean shared) {
        change(shared, -1);
        return reads + writes == 0;
    }

    private void change(boolean shared, int by) {
        if (shared) {
            reads += by;
        } else {
            writes += by;
        }
    }

    /**
     * Gives back what is not needed any more.
     *
     * @throws LockLostException if it was lost before
     */
    void giveBack() {
        if (reads + writes > 0) {
            requireValid();
            if (writes == 0 && !grant.isShared()) {
                downgrade();
            }
            return;
        }
        try {
            requireValid();
        } finally {
            grant.close();
        }
    }

    /** Asked again after an interrupt: to make a shared grant shared changes nothing. */
    private void downgrade() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    grant.downgrade();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
