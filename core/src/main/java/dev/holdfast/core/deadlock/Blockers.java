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
import org.jspecify.annotations.Nullable;

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

    /**
     * What must go of these claims.
     *
     * @param enough how many permits, where they are holders of a semaphore; else how many claims
     */
    public record Need(int enough, List<Claim> claims, boolean ofPermits) {
        /** What it is worth if this one goes. */
        int worth(Claim claim) {
            return ofPermits ? claim.permits().count() : 1;
        }
    }

    /** What a request waits for. Looks at no more than the budget allows: once that is spent, not all is there. */
    public List<Need> of(Request request, Budget budget) {
        List<Need> needs = new ArrayList<>();
        for (Claim claim = request; claim != null && budget.visit(); claim = claim.next()) {
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
                needs.add(new Need(all.size(), all, false));
            }
        }
        return needs;
    }

    private static void addPermits(Claim claim, Request request, List<Need> needs, List<Claim> all, Budget budget) {
        Lock lock = claim.lock();
        int older = lock.waitersBelow(request.rank()) - 1;
        while (older >= 0 && goesByItself(lock.waiter(older)) && budget.visit()) {
            older--;
        }
        if (older >= 0) {
            all.add(lock.waiter(older));
        }
        int missing = claim.permits().count() - (lock.capacity() - lock.permitsTaken());
        if (missing > 0) {
            List<Claim> holders = new ArrayList<>();
            for (int i = 0; i < lock.holderCount() && budget.visit(); i++) {
                holders.add(lock.holder(i));
            }
            needs.add(new Need(missing, holders, true));
        }
    }

    private static void addSameKey(Claim claim, Request request, List<Claim> all, Budget budget) {
        Lock lock = claim.lock();
        Claim nearest = lock.exclusiveWaiterBelow(request.rank());
        while (nearest != null && goesByItself(nearest) && budget.visit()) {
            nearest = lock.exclusiveWaiterBelow(nearest.request().rank());
        }
        if (claim.isExclusive()) {
            for (int i = lock.waitersBelow(request.rank()) - 1; i >= 0 && lock.waiter(i) != nearest; i--) {
                if (!budget.visit()) {
                    return;
                }
                all.add(lock.waiter(i));
            }
        }
        if (nearest == null) {
            addHolders(claim, request, all, budget);
        } else if (budget.visit()) {
            all.add(nearest);
            addUpgraded(nearest, lock, all, budget);
        }
    }

    /** Of a closed lease: when it is gone, those before it are still in the way, so it cannot stand for them. */
    private static boolean goesByItself(Claim waiter) {
        return waiter.request().lease().ending() != null;
    }

    /** Those who share a key are all alike: who would share it, too, need look at the first only. */
    private static void addHolders(Claim claim, Request request, List<Claim> all, Budget budget) {
        Lock lock = claim.lock();
        Request upgraded = GrantRule.upgradedBy(request);
        int looked = claim.isExclusive() ? lock.holderCount() : Math.min(lock.holderCount(), 1);
        for (int i = 0; i < looked && budget.visit(); i++) {
            Claim holder = lock.holder(i);
            if ((claim.isExclusive() || holder.isExclusive()) && holder.request() != upgraded) {
                all.add(holder);
            }
        }
    }

    /** An upgrade does not wait for its own grant, but those behind it do. */
    private static void addUpgraded(Claim waiter, Lock lock, List<Claim> all, Budget budget) {
        @Nullable Claim held = GrantRule.upgradedBy(waiter.request());
        while (held != null && held.lock() != lock && budget.visit()) {
            held = held.next();
        }
        if (held != null && held.lock() == lock) {
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
