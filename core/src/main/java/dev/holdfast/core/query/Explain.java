package dev.holdfast.core.query;

import dev.holdfast.core.Budget;
import dev.holdfast.core.Hold;
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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    Page<Explanation, Long> explain(LeaseId id, String principal, long seq, long from) {
        Lease lease = state.openLease(id);
        if (lease == null || !lease.principal().equals(principal)) {
            return new Page<>(List.of(), Optional.empty());
        }
        Budget looking = Budget.ofQuestion();
        List<Request> waiting = new ArrayList<>();
        for (Request request : seq == 0 ? lease.requestsByAge(looking) : only(lease.request(seq))) {
            if (request.waiting() != null && request.revision() >= from) {
                waiting.add(request);
            }
        }
        return explain(waiting, Optional.empty(), !looking.isSpent());
    }

    private static List<Request> only(@Nullable Request request) {
        return request == null ? List.of() : List.of(request);
    }

    Page<Explanation, Long> explain(LockKey key, int most) {
        Lock lock = state.lock(key);
        List<Request> first = new ArrayList<>();
        for (int i = 0; lock != null && i < Math.min(lock.waiterCount(), most); i++) {
            first.add(lock.waiter(i).request());
        }
        Optional<Long> behind = lock == null || lock.waiterCount() <= most
                ? Optional.empty()
                : Optional.of(lock.waiter(most).request().revision());
        return explain(first, behind, true);
    }

    /** One budget for all of them, to look and to tell: the first are told whole, if that can be done at all. */
    private Page<Explanation, Long> explain(List<Request> waiting, Optional<Long> behind, boolean complete) {
        List<Explanation> explanations = new ArrayList<>();
        Budget looking = Budget.ofQuestion();
        Budget telling = Budget.ofQuestion();
        for (Request request : waiting) {
            if (looking.isSpent() || telling.isSpent()) {
                return new Page<>(explanations, Optional.of(request.revision()), complete);
            }
            explanations.add(explain(request, looking, telling));
        }
        return new Page<>(explanations, behind, complete);
    }

    /** The chain of a waiting request. */
    private Explanation explain(Request waiting, Budget looking, Budget telling) {
        Claim first = rule.blockerOf(waiting);
        Lock blockedOn = first == null ? waiting.lock() : first.lock();
        List<Explanation.Step> steps = new ArrayList<>();
        boolean complete = walk(waiting, steps, looking, telling);
        List<Hold> wants = waiting.holds();
        looking.visit(wants.size());
        return new Explanation(
                waiting.revision(), wants, blockedOn.name(), blockedOn.waitersBelow(waiting.rank()), steps, complete);
    }

    /** Breadth first, so that the nearest reasons come first. */
    private boolean walk(Request waiting, List<Explanation.Step> steps, Budget looking, Budget telling) {
        long most = state.limit(Limit.WALK_VISITS);
        Set<Request> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Request> open = new ArrayDeque<>();
        open.add(waiting);
        seen.add(waiting);
        while (!open.isEmpty()) {
            Request request = open.remove();
            for (Blockers.Need need : blockers.of(request, looking)) {
                for (Claim blocker : need.claims()) {
                    if (steps.size() >= most || telling.isSpent()) {
                        return false;
                    }
                    Explanation.Step step = step(request, blocker);
                    steps.add(step);
                    telling.tell(size(step));
                    addWaitsOf(blocker.request(), seen, open, looking);
                }
            }
        }
        return !looking.isSpent() && !telling.isSpent();
    }

    private static long size(Explanation.Step step) {
        return (long) step.waiter().length()
                + step.key().length()
                + step.blocker().length()
                + step.purpose().length()
                + step.metadata().length();
    }

    /** What the one in the way waits for itself. */
    private static void addWaitsOf(Request blocker, Set<Request> seen, ArrayDeque<Request> open, Budget looking) {
        Actor actor = blocker.actor();
        if (blocker.waiting() != null) {
            add(blocker, seen, open, looking);
        } else if (actor != null && !blocker.isLingering()) {
            for (int i = 0; i < actor.waitCount() && !looking.isSpent(); i++) {
                add(actor.wait(i), seen, open, looking);
            }
        }
    }

    private static void add(Request next, Set<Request> seen, ArrayDeque<Request> open, Budget looking) {
        if (looking.visit() && seen.add(next)) {
            open.add(next);
        }
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
