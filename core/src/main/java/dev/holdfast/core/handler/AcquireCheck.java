package dev.holdfast.core.handler;

import static dev.holdfast.core.handler.LeaseHandler.invalid;
import static dev.holdfast.core.handler.LeaseHandler.utf8Length;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.grant.Subtrees;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the fields of an acquire make sense and are within the limits. */
final class AcquireCheck {
    /** How long a wait or a hold may last: far above any use, far below an overflow. */
    static final long LONGEST_MILLIS = 1L << 42;

    private final State state;
    private final Subtrees subtrees;

    AcquireCheck(State state) {
        this.state = state;
        this.subtrees = new Subtrees(state);
    }

    /** @param items the command's, sorted by key */
    Result.@Nullable Refused check(Command.Acquire command, List<Item> items) {
        if (command.seq() == 0 && items.size() != 1) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "seq");
        }
        if (command.seq() == 0 && command.owner() != 0) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "owner");
        }
        if (items.isEmpty()) {
            return invalid("items", 1, 0);
        }
        long most = state.limit(Limit.KEYS_PER_REQUEST);
        if (items.size() > most) {
            return new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.KEYS_PER_REQUEST.name(), most, items.size());
        }
        long permits = 0;
        for (int i = 0; i < items.size(); i++) {
            Result.Refused refused = check(items.get(i), i == 0 ? null : items.get(i - 1));
            if (refused != null) {
                return refused;
            }
            permits += items.get(i).count();
        }
        long mostPermits = state.limit(Limit.PERMITS_PER_REQUEST);
        if (permits > mostPermits) {
            return new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.PERMITS_PER_REQUEST.name(), mostPermits, permits);
        }
        return checkOptions(command);
    }

    /** Whether the subtrees asked for have no more keys below them, all together, than may be looked at. */
    Result.@Nullable Refused checkSubtrees(Request request) {
        long most = state.limit(Limit.SUBTREE_KEYS);
        long left = most;
        for (Claim claim = request; claim != null; claim = claim.next()) {
            if (claim.isSubtree()) {
                left -= subtrees.countBelow(claim.key(), left);
            }
            if (left < 0) {
                return new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.SUBTREE_KEYS.name(), most, most + 1);
            }
        }
        return null;
    }

    Result.@Nullable Refused checkOwner(Lease lease, long owner) {
        long most = state.limit(Limit.REQUESTS_PER_OWNER);
        int requests = owner == 0 ? 0 : lease.requestCountOf(owner);
        return requests < most
                ? null
                : new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.REQUESTS_PER_OWNER.name(), most, requests + 1L);
    }

    /** Whether the keys are in use as what they are asked for. */
    static Result.@Nullable Refused checkKinds(Request request, List<Item> items) {
        Claim claim = request;
        for (Item item : items) {
            int inUse = claim.lock().capacity();
            if (inUse != item.capacity()) {
                return new Result.Refused(Refusal.KIND_MISMATCH, item.key().toString(), inUse, item.capacity());
            }
            Claim next = claim.next();
            if (next == null) {
                break;
            }
            claim = next;
        }
        return null;
    }

    static Result.@Nullable Refused checkWait(long waitMillis) {
        return waitMillis < Command.WAIT_FOREVER || waitMillis > LONGEST_MILLIS
                ? invalid("waitMillis", LONGEST_MILLIS, waitMillis)
                : null;
    }

    private Result.@Nullable Refused check(Item item, @Nullable Item before) {
        long keyBytes = state.limit(Limit.KEY_BYTES);
        if (item.key().length() > keyBytes) {
            return invalid("key", keyBytes, item.key().length());
        }
        if (before != null && before.key().equals(item.key())) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "items");
        }
        if (item.kind() != Kind.PERMITS) {
            return item.capacity() == 0 && item.count() == 0
                    ? null
                    : new Result.Refused(Refusal.INVALID_ARGUMENT, "capacity");
        }
        if (item.mode() != Mode.EXCLUSIVE) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "mode");
        }
        long permits = state.limit(Limit.SEMAPHORE_PERMITS);
        if (item.capacity() < 1 || item.capacity() > permits) {
            return invalid("capacity", permits, item.capacity());
        }
        return item.count() < 1 || item.count() > item.capacity()
                ? invalid("count", item.capacity(), item.count())
                : null;
    }

    private Result.@Nullable Refused checkOptions(Command.Acquire command) {
        Result.Refused wait = checkWait(command.waitMillis());
        if (wait != null) {
            return wait;
        }
        if (command.maxHoldMillis() < 0 || command.maxHoldMillis() > LONGEST_MILLIS) {
            return invalid("maxHoldMillis", LONGEST_MILLIS, command.maxHoldMillis());
        }
        if (command.leaseCoversWait() && command.waitMillis() == Command.WAIT_FOREVER) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "leaseCoversWait");
        }
        long purpose = state.limit(Limit.PURPOSE_BYTES);
        if (utf8Length(command.purpose()) > purpose) {
            return invalid("purpose", purpose, utf8Length(command.purpose()));
        }
        long metadata = state.limit(Limit.METADATA_BYTES);
        return command.metadata().length() > metadata
                ? invalid("metadata", metadata, command.metadata().length())
                : null;
    }
}
