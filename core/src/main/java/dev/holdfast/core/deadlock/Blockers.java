package dev.holdfast.core.deadlock;

import dev.holdfast.core.Budget;
import dev.holdfast.core.grant.GrantRule;
import dev.holdfast.core.grant.Subtrees;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.util.ArrayList;
import java.util.List;

/**
 * What must give way before a request can be granted.
 *
 * <p>Of a queue it names only the nearest: whoever is behind an exclusive waiter waits for all that this
 * one waits for, so the rest follows from it. That keeps a walk over a queue of n waiters at n steps.
 */
public final class Blockers {
    private final State state;
    private final Subtrees subtrees;

    public Blockers(State state) {
        this.state = state;
        this.subtrees = new Subtrees(state);
    }

    /** At least {@code enough} of these claims must go. */
    public record Need(int enough, List<Claim> claims) {}

    /** What a request waits for. Looks at no more than the budget allows: once that is spent, not all is there. */
    public List<Need> of(Request request, Budget budget) {
        List<Need> needs = new ArrayList<>();
        for (Claim claim = request; claim != null && budget.visit(); claim = claim.nextLock()) {
            List<Claim> all = new ArrayList<>();
            if (claim.lock().capacity() > 0) {
                addPermits(claim, request, needs, all, budget);
            } else {
                addSameKey(claim, request, all, budget);
            }
            if (state.subtreeClaims() > 0 || claim.isSubtree()) {
                addSubtrees(claim, request, all, budget);
            }
            if (!all.isEmpty()) {
                needs.add(new Need(all.size(), all));
            }
        }
        return needs;
    }

    private static void addPermits(Claim claim, Request request, List<Need> needs, List<Claim> all, Budget budget) {
        Lock lock = claim.lock();
        int older = lock.waitersBelow(request.rank());
        if (older > 0) {
            all.add(lock.waiter(older - 1));
        }
        int missing = Request.countOn(claim) - (lock.capacity() - lock.holderCount());
        if (missing > 0) {
            List<Claim> holders = new ArrayList<>();
            for (int i = 0; i < lock.holderCount() && budget.visit(); i++) {
                holders.add(lock.holder(i));
            }
            needs.add(new Need(missing, holders));
        }
    }

    private static void addSameKey(Claim claim, Request request, List<Claim> all, Budget budget) {
        Lock lock = claim.lock();
        for (int i = lock.waitersBelow(request.rank()) - 1; i >= 0 && budget.visit(); i--) {
            Claim waiter = lock.waiter(i);
            if (waiter.isExclusive()) {
                all.add(waiter);
                addUpgraded(waiter, lock, all);
                return;
            }
            if (claim.isExclusive()) {
                all.add(waiter);
            }
        }
        Request upgraded = GrantRule.upgradedBy(request);
        for (int i = 0; i < lock.holderCount() && budget.visit(); i++) {
            Claim holder = lock.holder(i);
            if ((claim.isExclusive() || holder.isExclusive()) && holder.request() != upgraded) {
                all.add(holder);
            }
        }
    }

    /** An upgrade does not wait for its own grant, but those behind it do. */
    private static void addUpgraded(Claim waiter, Lock lock, List<Claim> all) {
        Request upgraded = GrantRule.upgradedBy(waiter.request());
        Claim held = upgraded == null ? null : upgraded.claimOn(lock);
        if (held != null) {
            all.add(held);
        }
    }

    private void addSubtrees(Claim claim, Request request, List<Claim> all, Budget budget) {
        subtrees.visitAbove(claim.key(), lock -> {
            addConflicting(lock, claim, request, true, all, budget);
            return budget.visit();
        });
        if (claim.isSubtree()) {
            subtrees.visitBelow(claim.key(), lock -> {
                addConflicting(lock, claim, request, false, all, budget);
                return budget.visit();
            });
        }
    }

    private static void addConflicting(
            Lock lock, Claim claim, Request request, boolean subtreesOnly, List<Claim> all, Budget budget) {
        Request upgraded = GrantRule.upgradedBy(request);
        for (int i = 0; i < lock.holderCount() && budget.visit(); i++) {
            Claim holder = lock.holder(i);
            if (conflicts(holder, claim, subtreesOnly) && holder.request() != upgraded) {
                all.add(holder);
            }
        }
        int older = lock.waitersBelow(request.rank());
        for (int i = 0; i < older && budget.visit(); i++) {
            if (conflicts(lock.waiter(i), claim, subtreesOnly)) {
                all.add(lock.waiter(i));
            }
        }
    }

    private static boolean conflicts(Claim other, Claim claim, boolean subtreesOnly) {
        return (!subtreesOnly || other.isSubtree()) && (claim.isExclusive() || other.isExclusive());
    }
}
