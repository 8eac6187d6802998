package dev.holdfast.core.grant;

import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may hold what it asks for.
 *
 * <p>It may, iff its lease and its wait are alive, no quarantine runs, and for each of its items: no
 * other request's hold conflicts, and no older waiting request conflicts. For permits: enough are free,
 * and nobody older waits, so that a big request at the head is not overtaken.
 */
public final class GrantRule {
    private final State state;
    private final Subtrees subtrees;
    private long claimsLookedAt;

    public GrantRule(State state) {
        this.state = state;
        this.subtrees = new Subtrees(state);
    }

    /** How many claims, and locks above and below them, were looked at so far: for whoever bounds it. */
    long lookedAt() {
        return claimsLookedAt + subtrees.lookedAt();
    }

    /** Whether anything may be granted to it at all, whoever else there is. */
    public boolean mayBeGranted(Request request) {
        Waiting waiting = request.waiting();
        return !state.isQuarantined()
                && !request.lease().isDueAt(state.now())
                && (waiting == null || !waiting.isDueAt(state.now()));
    }

    /** The first claim in its way, or null. The lock of that claim is the one to park on. */
    public @Nullable Claim blockerOf(Request request) {
        for (Claim claim = request; claim != null; claim = claim.next()) {
            claimsLookedAt++;
            Claim blocker = blockerOn(claim.lock(), claim, request);
            if (blocker == null && (state.subtreeClaims() > 0 || claim.isSubtree())) {
                blocker = subtrees.blockerOf(claim, request);
            }
            if (blocker != null) {
                return blocker;
            }
        }
        return null;
    }

    /** Whether it wants this very key and somebody on this key is in its way. */
    static boolean isBlockedOn(Lock lock, Request request) {
        Claim claim = request.claimOn(lock);
        return claim != null && blockerOn(lock, claim, request) != null;
    }

    private static @Nullable Claim blockerOn(Lock lock, Claim claim, Request request) {
        if (lock.capacity() > 0) {
            if (lock.capacity() - lock.permitsTaken() < claim.permits().count()) {
                return lock.holder(0);
            }
            return firstWaiterBefore(lock, true, request);
        }
        Claim holder = firstHolderAgainst(lock, claim.isExclusive(), request);
        return holder != null ? holder : firstWaiterBefore(lock, claim.isExclusive(), request);
    }

    /** The first holder that conflicts with a claim of this mode on the lock's key, or above it. */
    static @Nullable Claim firstHolderAgainst(Lock lock, boolean exclusive, Request request) {
        int holders = lock.holderCount();
        if (holders == 0) {
            return null;
        }
        Claim first = lock.holder(0);
        if (!exclusive && !first.isExclusive()) {
            return null;
        }
        Request upgraded = upgradedBy(request);
        if (first.request() != upgraded) {
            return first;
        }
        return holders > 1 ? lock.holder(1) : null;
    }

    /** The first waiter of lower rank that conflicts with a claim of this mode. */
    static @Nullable Claim firstWaiterBefore(Lock lock, boolean exclusive, Request request) {
        Claim first = exclusive ? (lock.waiterCount() > 0 ? lock.waiter(0) : null) : lock.firstExclusiveWaiter();
        return first != null && first.request().rank() < request.rank() ? first : null;
    }

    /** The grant that this request upgrades: the one holder that is not in its way. */
    public static @Nullable Request upgradedBy(Request request) {
        Waiting waiting = request.waiting();
        return waiting == null ? null : waiting.upgrades();
    }
}
