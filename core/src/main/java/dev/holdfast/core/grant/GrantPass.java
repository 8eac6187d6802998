package dev.holdfast.core.grant;

import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;
import dev.holdfast.core.state.Waiting;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Grants the next waiters.
 *
 * <p>A waiting request is parked on one lock that blocks it, and can only have become grantable if that lock was
 * triggered. So the pass tries the requests parked on triggered locks, and no others, oldest first over all of them:
 * grantable, and it is granted; blocked on another lock, and it is parked there; blocked still for this very key, and
 * all younger ones that want this key are too, because they conflict with it or with what blocks it. (Those parked here
 * for keys above or below may not be: they are tried.) A grant can make only younger requests grantable, so one pass in
 * order of age is enough, and where a request happens to be parked never shows.
 */
public final class GrantPass {
    private final State state;
    private final GrantRule rule;
    private final Transitions transitions;
    private final PriorityQueue<Cursor> cursors = new PriorityQueue<>(4);

    public GrantPass(State state, GrantRule rule, Transitions transitions) {
        this.state = state;
        this.rule = rule;
        this.transitions = transitions;
    }

    /** A triggered lock and the parked request to try next. */
    private record Cursor(Lock lock, Request candidate) implements Comparable<Cursor> {
        @Override
        public int compareTo(Cursor other) {
            return Long.compare(candidate.rank(), other.candidate.rank());
        }
    }

    public void run() {
        while (state.hasTriggered()) {
            openCursors();
            Cursor cursor = cursors.poll();
            while (cursor != null) {
                long rank = cursor.candidate.rank();
                boolean goesOn = tryCandidate(cursor);
                openCursors();
                advance(cursor.lock, goesOn ? rank + 1 : Long.MAX_VALUE);
                cursor = cursors.poll();
            }
        }
    }

    private void openCursors() {
        if (state.hasTriggered()) {
            for (Lock lock : state.takeTriggered()) {
                advance(lock, Long.MIN_VALUE);
            }
        }
    }

    /** Goes on with the lock's next parked request, or is done with the lock. */
    private void advance(Lock lock, long fromRank) {
        Request candidate = lock.parkedFrom(fromRank);
        if (candidate == null) {
            transitions.endPass(lock);
        } else {
            cursors.add(new Cursor(lock, candidate));
        }
    }

    /** Whether the requests behind this one on its lock need be tried. */
    private boolean tryCandidate(Cursor cursor) {
        Request request = cursor.candidate;
        Waiting waiting = request.waiting();
        if (waiting == null) {
            return true;
        }
        Claim blocker = rule.blockerOf(request);
        if (blocker == null && rule.mayBeGranted(request)) {
            grant(request, waiting);
            return true;
        }
        // Where nobody is in its way but its own end, or a quarantine, it waits for that on its own lock.
        Lock blockedOn = blocker == null ? request.lock() : blocker.lock();
        transitions.repark(request, waiting, blockedOn);
        return !GrantRule.isBlockedOn(cursor.lock, request) || cursor.lock.hasForeignParked();
    }

    private void grant(Request request, Waiting waiting) {
        @Nullable Request upgraded = waiting.upgrades();
        if (upgraded == null) {
            transitions.grant(request, waiting.maxHoldMillis());
        } else {
            transitions.upgrade(request, upgraded);
        }
    }
}
