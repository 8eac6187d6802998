package dev.holdfast.core.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The locks on which parked requests are still to be tried, because they may have become grantable.
 *
 * <p>A lock is triggered when something on it changes. The grant pass that follows opens it: from then on it says from
 * which rank on those who are parked there are still to be tried. It is closed when none is left. That place is
 * replicated state, so that an entry may end in the middle of a pass and the next one goes on; in which order locks
 * are kept here never shows.
 */
public final class Untried {
    /** Not the place of any request. */
    static final long NOWHERE = Long.MAX_VALUE;

    /** Where a lock stood when this was made. If it stands elsewhere by now, there is another one, or none is needed. */
    private record Cursor(Lock lock, long rank) {}

    private final PriorityQueue<Cursor> cursors = new PriorityQueue<>(4, Comparator.comparingLong(Cursor::rank));
    private List<Lock> triggered = new ArrayList<>();
    private final State state;
    private int open;

    Untried(State state) {
        this.state = state;
    }

    /** Whether a pass is yet to start, or to go on. */
    public boolean isEmpty() {
        return open == 0 && triggered.isEmpty();
    }

    /** A new pass: all who are parked on locks that were triggered since the last one are to be tried. */
    public void startPass() {
        for (Lock lock : takeTriggered()) {
            openFrom(lock, Long.MIN_VALUE);
        }
    }

    /**
     * Takes up locks that the grant of a request of this rank triggered: it can make only younger ones grantable. They
     * are to be tried also where a lock is open already: it may stand behind those whom the grant was in the way of.
     */
    public void joinPass(long rank) {
        for (Lock lock : takeTriggered()) {
            openFrom(lock, Math.min(lock.untriedRank(), rank + 1));
        }
    }

    /** The lock on which the oldest of those is parked who are to be tried, or null. */
    public @Nullable Lock next() {
        Cursor cursor = cursors.peek();
        while (cursor != null && cursor.lock.untriedRank() != cursor.rank) {
            cursors.remove();
            cursor = cursors.peek();
        }
        return cursor == null ? null : cursor.lock;
    }

    void trigger(Lock lock) {
        Crowd crowd = lock.crowd();
        if (!crowd.triggered) {
            crowd.triggered = true;
            triggered.add(lock);
        }
    }

    /** Those parked here from this rank on are to be tried, and no others; if there are none, the lock is closed. */
    void openFrom(Lock lock, long rank) {
        Request first = lock.parkedFrom(rank);
        long from = first == null ? NOWHERE : first.rank();
        long before = lock.untriedRank();
        if (from == before) {
            return;
        }
        state.touch(lock);
        lock.crowd().untriedFrom = from;
        open += (from == NOWHERE ? 0 : 1) - (before == NOWHERE ? 0 : 1);
        if (from != NOWHERE) {
            cursors.add(new Cursor(lock, from));
        }
    }

    /** Somebody of this rank is not parked there any more. */
    void left(Lock lock, long rank) {
        if (lock.untriedRank() == rank) {
            openFrom(lock, rank);
        }
    }

    private List<Lock> takeTriggered() {
        if (triggered.isEmpty()) {
            return List.of();
        }
        List<Lock> taken = triggered;
        triggered = new ArrayList<>();
        for (Lock lock : taken) {
            if (lock.crowd != null) {
                lock.crowd.triggered = false;
            }
        }
        return taken;
    }
}
