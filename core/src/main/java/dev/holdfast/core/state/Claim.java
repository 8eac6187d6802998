package dev.holdfast.core.state;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import dev.holdfast.core.Permits;
import org.jspecify.annotations.Nullable;

/**
 * One request's stake in one lock: held, or waited for.
 *
 * <p>Nearly every request asks for one item. So a {@link Request} is its own first claim, which saves
 * forty bytes per held lock, and only the further items of a set have objects of their own.
 */
public abstract sealed class Claim permits Request, FurtherClaim {
    private final Lock lock;

    @Nullable
    Claim next;

    /** How many permits, and which once they are held; none if the lock is no semaphore. */
    Permits permits = Permits.NONE;

    private final Kind kind;
    boolean exclusive;

    Claim(Lock lock, Kind kind, boolean exclusive) {
        this.lock = lock;
        this.kind = kind;
        this.exclusive = exclusive;
    }

    public abstract Request request();

    public Lock lock() {
        return lock;
    }

    /** The request's next claim, by key: each is on a lock of its own. */
    public @Nullable Claim next() {
        return next;
    }

    public LockKey key() {
        return lock.key;
    }

    public Kind kind() {
        return kind;
    }

    public boolean isExclusive() {
        return exclusive;
    }

    public boolean isSubtree() {
        return kind == Kind.SUBTREE;
    }

    public Permits permits() {
        return permits;
    }

    /** How many locks it counts as: each permit is one. */
    public int locks() {
        return Math.max(1, permits.count());
    }

    public Mode mode() {
        return exclusive ? Mode.EXCLUSIVE : Mode.SHARED;
    }

    public Hold toHold() {
        return new Hold(lock.key, kind, mode(), permits);
    }
}
