package dev.holdfast.core.handler;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the same owner asks for again: if one grant of its own covers it all, it gets that grant back; if it holds or
 * waits for only a part, it is refused, because it would wait for itself.
 */
final class Reentrancy {
    private final State state;
    private final Answers answers;

    Reentrancy(State state, Answers answers) {
        this.state = state;
        this.answers = answers;
    }

    /** The answer, or null if the owner has nothing to do with what is asked. */
    @Nullable
    Result answer(Lease lease, Command.Acquire command, List<Item> items) {
        if (command.seq() == 0) {
            return withoutId(lease, items.get(0));
        }
        return command.owner() == 0 ? null : sameOwner(lease, command.owner(), items);
    }

    /** The live request without an id that (lease, key) has, or null. */
    @Nullable
    Request requestWithoutId(Lease lease, Lock lock) {
        for (int i = 0; i < lock.holderCount(); i++) {
            Request request = lock.holder(i).request();
            if (request.lease() == lease && !request.hasId() && !request.isLingering()) {
                return request;
            }
        }
        for (int i = 0; i < lock.waiterCount(); i++) {
            Request request = lock.waiter(i).request();
            if (request.lease() == lease && !request.hasId()) {
                return request;
            }
        }
        return null;
    }

    private @Nullable Result withoutId(Lease lease, Item item) {
        Lock lock = state.lock(item.key());
        Request request = lock == null ? null : requestWithoutId(lease, lock);
        if (request == null) {
            return null;
        }
        boolean sameKind = request.kind() == item.kind() && request.permits().count() == item.count();
        boolean held = request.waiting() == null;
        boolean modeFits = request.mode() == item.mode() || (held && request.isExclusive());
        return sameKind && modeFits
                ? answers.of(request)
                : new Result.Refused(Refusal.PARTIAL_OVERLAP, item.key().toString());
    }

    private @Nullable Result sameOwner(Lease lease, long owner, List<Item> items) {
        List<Request> own = lease.requestsOf(owner);
        for (Request request : own) {
            if (request.waiting() == null && coversAll(request, items)) {
                return answers.of(request);
            }
        }
        for (Item item : items) {
            for (Request request : own) {
                if (overlaps(request, item)) {
                    return new Result.Refused(
                            Refusal.PARTIAL_OVERLAP, item.key().toString());
                }
            }
        }
        return null;
    }

    private static boolean coversAll(Request grant, List<Item> items) {
        for (Item item : items) {
            boolean covered = false;
            for (Claim claim = grant; claim != null && !covered; claim = claim.next()) {
                covered = covers(claim, item);
            }
            if (!covered) {
                return false;
            }
        }
        return true;
    }

    private static boolean covers(Claim claim, Item item) {
        if (claim.kind() == Kind.PERMITS || item.kind() == Kind.PERMITS) {
            return false;
        }
        boolean reaches = claim.key().equals(item.key())
                ? claim.isSubtree() || item.kind() == Kind.PLAIN
                : claim.isSubtree() && item.key().isBelow(claim.key());
        return reaches && (claim.isExclusive() || item.mode() == Mode.SHARED);
    }

    private static boolean overlaps(Request request, Item item) {
        if (item.kind() == Kind.PERMITS) {
            return false;
        }
        for (Claim claim = request; claim != null; claim = claim.next()) {
            if (claim.kind() != Kind.PERMITS
                    && (claim.key().equals(item.key())
                            || (claim.isSubtree() && item.key().isBelow(claim.key()))
                            || (item.kind() == Kind.SUBTREE && claim.key().isBelow(item.key())))) {
                return true;
            }
        }
        return false;
    }
}
