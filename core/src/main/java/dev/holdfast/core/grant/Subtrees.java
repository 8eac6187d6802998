package dev.holdfast.core.grant;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.index.RadixTree;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Conflicts between a subtree and the keys below it. Only asked while there is a subtree claim at all,
 * so that keys without one about pay nothing.
 */
public final class Subtrees {
    private static final byte SEPARATOR = '/';

    private final State state;
    private long lookedAt;

    public Subtrees(State state) {
        this.state = state;
    }

    /** The first claim above or, for a subtree, below that is in the way. */
    @Nullable
    Claim blockerOf(Claim claim, Request request) {
        First found = new First();
        visitAbove(claim.key(), lock -> found.set(subtreeAgainst(lock, claim.isExclusive(), request)));
        if (found.claim == null && claim.isSubtree()) {
            visitBelow(claim.key(), lock -> {
                lookedAt++;
                return found.set(anyAgainst(lock, claim.isExclusive(), request));
            });
        }
        return found.claim;
    }

    /** How many locks were looked at so far, those above that are no subtrees and were only passed among them. */
    long lookedAt() {
        return lookedAt;
    }

    /** Visits the locks above a key that are used as subtrees, shortest first, until the visitor says false. */
    public void visitAbove(LockKey key, Predicate<Lock> visitor) {
        state.locks().visitPrefixesOf(key.utf8(), lock -> {
            lookedAt++;
            return !lock.hasSubtree() || !key.isBelow(lock.name()) || visitor.test(lock);
        });
    }

    /** Visits the locks below a key, in key order, until the visitor says false. */
    public void visitBelow(LockKey key, Predicate<Lock> visitor) {
        byte[] path = key.utf8();
        byte[] prefix = path;
        if (path[path.length - 1] != SEPARATOR) {
            prefix = Arrays.copyOf(path, path.length + 1);
            prefix[path.length] = SEPARATOR;
        }
        byte[] start = prefix;
        state.locks().visitFrom(start, lock -> {
            if (!RadixTree.startsWith(lock.key(), start)) {
                return false;
            }
            return lock.name().equals(key) || visitor.test(lock);
        });
    }

    /** How many keys below this one are in use; stops counting above {@code most}. */
    public long countBelow(LockKey key, long most) {
        long[] count = {0};
        visitBelow(key, lock -> ++count[0] <= most);
        return count[0];
    }

    private static @Nullable Claim subtreeAgainst(Lock lock, boolean exclusive, Request request) {
        Request upgraded = GrantRule.upgradedBy(request);
        // All who hold one key hold it in the same mode, and at most one of them is the grant that is upgraded.
        for (int i = 0; i < 2; i++) {
            Claim holder = lock.subtreeHolder(i);
            if (holder != null && (exclusive || holder.isExclusive()) && holder.request() != upgraded) {
                return holder;
            }
        }
        Claim first = lock.firstSubtreeWaiter(true);
        Claim shared = exclusive ? lock.firstSubtreeWaiter(false) : null;
        if (first == null
                || (shared != null && shared.request().rank() < first.request().rank())) {
            first = shared;
        }
        return first != null && first.request().rank() < request.rank() ? first : null;
    }

    private static @Nullable Claim anyAgainst(Lock lock, boolean exclusive, Request request) {
        Claim holder = GrantRule.firstHolderAgainst(lock, exclusive, request);
        return holder != null ? holder : GrantRule.firstWaiterBefore(lock, exclusive, request);
    }

    /** Keeps the first claim that was found, and stops the visit with it. */
    private static final class First {
        private @Nullable Claim claim;

        boolean set(@Nullable Claim found) {
            claim = found;
            return found == null;
        }
    }
}
