package dev.holdfast.core.state;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks on which parked requests are still to be tried, because they may have become grantable.
 *
 * <p>A lock is triggered when something on it changes. The grant pass that follows opens it: from then on it says from
 * which rank on those who are parked there are still to be tried. It is closed when none is left. That place is
 * replicated state, so that an entry may end in the middle of a pass and the next one goes on; in which order locks
 * are kept here never shows.
 *
 * <p>An entry that has looked at all it may in vain ends in the middle of a sweep: the next one goes on from there, and
 * takes whatever is triggered behind that place, or came after the sweep began, when the sweep is over. Otherwise
 * whoever triggers the same locks in every entry would have the same requests tried again and again, and no others.
 */
public final class Untried {
    /** Not the place of any request. */
    static final long NOWHERE = Long.MAX_VALUE;

    /** The place of a sweep that is not under way: whatever is triggered is tried from the oldest on. */
    static final long START = Long.MIN_VALUE;

    /** The open locks, each by the rank of the first who is to be tried there, who is parked nowhere else. */
    private final TreeMap<Long, Lock> open = new TreeMap<>();

    /** Those on which somebody is to be tried when the sweep is over. Its order never shows. */
    private final Set<Lock> again = new LinkedHashSet<>();

    private List<Lock> triggered = new ArrayList<>();
    private final State state;

    /** Nobody below this rank is tried before the sweep is over. */
    private long sweptBelow = START;

    /** The last revision before the sweep began; 0 while none is under way. */
    private long sweepEnd;

    Untried(State state) {
        this.state = state;
    }

    /** Whether a pass is yet to start, or to go on. */
    public boolean isEmpty() {
        return open.isEmpty() && again.isEmpty() && triggered.isEmpty();
    }

    long sweptBelow() {
        return sweptBelow;
    }

    long sweepEnd() {
        return sweepEnd;
    }

    /** As it was in another process. */
    void restoreSweep(long below, long end) {
        sweptBelow = below;
        sweepEnd = end;
    }

    /** Likewise for an open lock; answers whether it can have been so. */
    boolean restore(Lock lock, long from, boolean triedAgain) {
        openFrom(lock, from);
        setAgain(lock, triedAgain);
        Request first = lock.parkedFrom(START);
        return lock.untriedRank() == from
                && from >= sweptBelow
                && (!triedAgain || (first != null && first.rank() < sweptBelow));
    }

    /** A new pass: all who are parked on locks that were triggered since the last one are to be tried. */
    public void startPass() {
        for (Lock lock : takeTriggered()) {
            openAll(lock);
        }
    }

    /** All who are parked there are to be tried: those whom the sweep has passed when it is over. */
    void openAll(Lock lock) {
        openFrom(lock, sweptBelow);
        Request first = lock.parkedFrom(START);
        setAgain(lock, first != null && first.rank() < sweptBelow);
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

    /** The lock on which the next one is parked who is to be tried, or null. */
    public @Nullable Lock next() {
        while (true) {
            Map.Entry<Long, Lock> first = open.firstEntry();
            if (first != null && (sweptBelow == START || isOfSweep(first.getKey()))) {
                return first.getValue();
            }
            if (first != null && first.getKey() < 0) {
                // An upgrade that came after the sweep began: no older one is left, but those who wait for a grant.
                sweptBelow = 0;
                openFrom(first.getValue(), 0);
                setAgain(first.getValue(), true);
            } else if (sweptBelow == START) {
                return null;
            } else {
                endSweep();
            }
        }
    }

    /** One was tried, and everybody before it that is to be tried in this sweep; a sweep begins where looking stops. */
    public void tried(long rank, boolean stops) {
        if (stops && sweptBelow == START) {
            sweepEnd = state.revision;
        }
        if (stops || sweptBelow != START) {
            sweptBelow = rank + 1;
        }
    }

    private boolean isOfSweep(long rank) {
        return (rank < 0 ? rank - START : rank) <= sweepEnd;
    }

    private void endSweep() {
        sweptBelow = START;
        sweepEnd = 0;
        for (Lock lock : List.copyOf(again)) {
            setAgain(lock, false);
            openFrom(lock, START);
        }
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
        if (before != NOWHERE) {
            open.remove(before);
        }
        if (from != NOWHERE) {
            open.put(from, lock);
        }
    }

    /** Whether those parked here below the place of the sweep are to be tried when it is over. */
    private void setAgain(Lock lock, boolean triedAgain) {
        if (lock.isUntriedAgain() != triedAgain) {
            state.touch(lock);
            lock.crowd().untriedAgain = triedAgain;
            if (triedAgain) {
                again.add(lock);
            } else {
                again.remove(lock);
            }
        }
    }

    /** Somebody of this rank is not parked there any more. */
    void left(Lock lock, long rank) {
        if (lock.untriedRank() == rank) {
            openFrom(lock, rank);
        }
        if (lock.isUntriedAgain()) {
            Request first = lock.parkedFrom(START);
            setAgain(lock, first != null && first.rank() < sweptBelow);
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
