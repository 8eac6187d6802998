package dev.holdfast.core.grant;

import dev.holdfast.core.Limit;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;
import dev.holdfast.core.state.Untried;
import dev.holdfast.core.state.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * Grants the next waiters, as many as one entry may.
 *
 * <p>A waiting request is parked on one lock that blocks it, and can only have become grantable if that lock was
 * triggered. So the pass tries the requests parked on triggered locks, and no others, oldest first over all of them:
 * grantable, and it is granted; blocked on another lock, and it is parked there; blocked still for this very key, and
 * all younger ones that want this key are too, because they conflict with it or with what blocks it. (Those parked here
 * for keys above or below may not be: they are tried.) A grant can make only younger requests grantable, so one pass in
 * order of age is enough.
 *
 * <p>An entry may end in the middle of a pass, after so many grants, or after so much looking in vain. The next entry
 * goes on, after looking in vain from where this one stopped; see {@link Untried}. Where requests are parked, and from
 * where on they are still to be tried, is therefore replicated state: nodes that count what they look at must look at
 * the same.
 */
public final class GrantPass {
    private final State state;
    private final GrantRule rule;
    private final Transitions transitions;
    private final Untried untried;
    private long grantsLeft;
    private long triesLeft;

    public GrantPass(State state, GrantRule rule, Transitions transitions) {
        this.state = state;
        this.rule = rule;
        this.transitions = transitions;
        this.untried = state.untried();
    }

    /** A new entry: so much may be granted, and looked at, in it. */
    public void startEntry() {
        grantsLeft = state.limit(Limit.GRANTS_PER_ENTRY);
        triesLeft = state.limit(Limit.TRIES_PER_ENTRY);
    }

    public void run() {
        untried.startPass();
        Lock lock = untried.next();
        while (lock != null && grantsLeft > 0 && triesLeft > 0) {
            Request candidate = lock.parkedFrom(lock.untriedRank());
            if (candidate == null) {
                throw new IllegalStateException("nobody is to be tried on an open lock");
            }
            long rank = candidate.rank();
            long lookedAt = rule.lookedAt();
            boolean goesOn = tryCandidate(lock, candidate);
            triesLeft -= rule.lookedAt() - lookedAt;
            untried.joinPass(rank);
            transitions.passed(lock, goesOn ? rank + 1 : Long.MAX_VALUE);
            untried.tried(rank, triesLeft <= 0);
            lock = untried.next();
        }
    }

    /** Whether the requests behind this one on its lock need be tried. */
    private boolean tryCandidate(Lock lock, Request request) {
        Waiting waiting = request.waiting();
        if (waiting == null) {
            throw new IllegalStateException("somebody is parked who does not wait");
        }
        Claim blocker = rule.blockerOf(request);
        if (blocker == null && rule.mayBeGranted(request)) {
            grantsLeft--;
            grant(request, waiting);
            return true;
        }
        // Where nobody is in its way but its own end, or a quarantine, it waits for that on its own lock.
        Lock blockedOn = blocker == null ? request.lock() : blocker.lock();
        transitions.repark(request, waiting, blockedOn);
        return !GrantRule.isBlockedOn(lock, request) || lock.hasForeignParked();
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
