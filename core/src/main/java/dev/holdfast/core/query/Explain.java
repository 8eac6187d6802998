package dev.holdfast.core.query;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.deadlock.Blockers;
import dev.holdfast.core.grant.GrantRule;
import dev.holdfast.core.state.Actor;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Finds out why a request waits. */
final class Explain {
    private final State state;
    private final Blockers blockers;
    private final GrantRule rule;

    Explain(State state) {
        this.state = state;
        this.blockers = new Blockers(state);
        this.rule = new GrantRule(state);
    }

    List<Explanation> explain(LeaseId id, String principal, long seq) {
        List<Explanation> explanations = new ArrayList<>();
        Lease lease = state.lease(id);
        if (lease != null && lease.principal().equals(principal)) {
            for (Request request : lease.requestsByAge()) {
                if (request.waiting() != null && (seq == 0 || request.seq() == seq)) {
                    explanations.add(explain(request));
                }
            }
        }
        return explanations;
    }

    List<Explanation> explain(LockKey key, int most) {
        List<Explanation> explanations = new ArrayList<>();
        Lock lock = state.lock(key);
        int waiters = lock == null ? 0 : Math.min(lock.waiterCount(), most);
        for (int i = 0; lock != null && i < waiters; i++) {
            explanations.add(explain(lock.waiter(i).request()));
        }
        return explanations;
    }

    /** The chain of a waiting request. */
    private Explanation explain(Request waiting) {
        Claim first = rule.blockerOf(waiting);
        Lock blockedOn = first == null ? waiting.lock() : first.lock();
        List<Explanation.Step> steps = new ArrayList<>();
        boolean complete = walk(waiting, steps);
        return new Explanation(
                waiting.revision(),
                waiting.holds(),
                blockedOn.name(),
                blockedOn.waitersBelow(waiting.rank()),
                steps,
                complete);
    }

    /** Breadth first, so that the nearest reasons come first. */
    private boolean walk(Request waiting, List<Explanation.Step> steps) {
        long most = state.limit(Limit.WALK_VISITS);
        Set<Request> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Request> open = new ArrayDeque<>();
        open.add(waiting);
        seen.add(waiting);
        while (!open.isEmpty()) {
            Request request = open.remove();
            for (Blockers.Need need : blockers.of(request)) {
                for (Claim blocker : need.claims()) {
                    if (steps.size() >= most) {
                        return false;
                    }
                    steps.add(step(request, blocker));
                    for (Request next : waitsOf(blocker.request())) {
                        if (seen.add(next)) {
                            open.add(next);
                        }
                    }
                }
            }
        }
        return true;
    }

    /** What the one in the way waits for itself. */
    private static List<Request> waitsOf(Request blocker) {
        if (blocker.waiting() != null) {
            return List.of(blocker);
        }
        Actor actor = blocker.actor();
        return actor == null || blocker.isLingering() ? List.of() : actor.waits();
    }

    private Explanation.Step step(Request waiting, Claim blocker) {
        Request request = blocker.request();
        Explanation.How how = request.waiting() != null
                ? Explanation.How.WAITS_AHEAD
                : request.isLingering() ? Explanation.How.LOCK_DELAY : Explanation.How.HOLDS;
        return new Explanation.Step(
                waiting.lease().clientId(),
                waiting.revision(),
                blocker.key(),
                how,
                request.lease().clientId(),
                how == Explanation.How.WAITS_AHEAD ? 0 : state.tokenOf(request).value(),
                state.now() - request.sinceMillis(),
                request.isLingering() ? 0 : Math.max(0, request.lease().endMillis() - state.now()),
                request.purpose(),
                request.metadata());
    }
}
