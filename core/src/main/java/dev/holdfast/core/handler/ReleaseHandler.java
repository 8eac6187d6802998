package dev.holdfast.core.handler;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.result.Result.Cancelled.Was;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;

/** Ends grants and requests: given back, cancelled, or taken. */
final class ReleaseHandler {
    /**
     * The room for answers, for cancels: twice that of an acquire. The answers of acquires cannot fill it; the ends of
     * grants, which nothing refuses, can.
     */
    private static final int FOR_CANCELS = 2;

    private final State state;
    private final LeaseHandler leases;
    private final ExactlyOnce once;
    private final Reentrancy reentrancy;
    private final Transitions transitions;
    private final Grants grants;
    private final Ledger ledger;

    ReleaseHandler(
            State state,
            Ledger ledger,
            LeaseHandler leases,
            ExactlyOnce once,
            Reentrancy reentrancy,
            Transitions transitions,
            Grants grants) {
        this.state = state;
        this.ledger = ledger;
        this.leases = leases;
        this.once = once;
        this.reentrancy = reentrancy;
        this.transitions = transitions;
        this.grants = grants;
    }

    Result release(Command.Release command) {
        Lease lease = leases.find(command);
        if (lease == null) {
            return leases.notFound(command);
        }
        once.acknowledgeBelow(lease, command.ackedBelow());
        if (command.token() < 0) {
            return LeaseHandler.invalid("token", 0, command.token());
        }
        if (command.token() == 0) {
            return releaseWithoutId(lease, command);
        }
        Request grant = grants.find(command.key(), command.token());
        if (grant == null) {
            return grants.notHeld(command.token());
        }
        if (grant.lease() != lease) {
            return new Result.Refused(Refusal.NOT_HOLDER, command.key().toString());
        }
        return release(grant, EndReason.RELEASED, "");
    }

    Result cancel(Command.Cancel command) {
        Lease lease = leases.find(command);
        if (lease == null) {
            return leases.notFound(command);
        }
        once.acknowledgeBelow(lease, command.ackedBelow());
        long seq = command.seq();
        if (seq < 1) {
            return LeaseHandler.invalid("seq", 1, seq);
        }
        Request live = lease.request(seq);
        if (live != null && live.waiting() != null) {
            return leave(live);
        }
        if (live != null) {
            release(live, EndReason.CANCELLED, "");
            return new Result.Cancelled(Was.GRANTED);
        }
        if (lease.finished(seq) != null || seq < lease.ackedBelow()) {
            return new Result.Cancelled(Was.FINISHED);
        }
        // Wider than an acquire's: one that was refused for the window can still be given up for good.
        long window = FOR_CANCELS * state.limit(Limit.UNACKNOWLEDGED);
        if (seq - lease.ackedBelow() >= window) {
            return ExactlyOnce.windowFull(lease, seq, window);
        }
        Result.Refused full = once.checkMemory(lease, FOR_CANCELS);
        if (full != null) {
            return full;
        }
        ledger.finish(lease, seq, new Result.Refused(Refusal.CANCELLED, "seq"));
        return new Result.Cancelled(Was.UNKNOWN);
    }

    Result force(Command.ForceRelease command) {
        long most = state.limit(Limit.PURPOSE_BYTES);
        if (command.reason().isEmpty()) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "reason");
        }
        if (LeaseHandler.utf8Length(command.reason()) > most) {
            return LeaseHandler.invalid("reason", most, LeaseHandler.utf8Length(command.reason()));
        }
        if (LeaseHandler.utf8Length(command.by()) > most) {
            return LeaseHandler.invalid("by", most, LeaseHandler.utf8Length(command.by()));
        }
        if (command.token() < 1) {
            return LeaseHandler.invalid("token", 1, command.token());
        }
        Request grant = grants.findOrLingering(command.key(), command.token());
        if (grant == null) {
            return grants.notHeld(command.token());
        }
        if (grant.isLingering()) {
            transitions.endLingering(grant);
            return new Result.Released(new FencingToken(command.token()));
        }
        return release(grant, EndReason.FORCED, command.by() + ": " + command.reason());
    }

    private Result releaseWithoutId(Lease lease, Command.Release command) {
        Lock lock = state.lock(command.key());
        Request request = lock == null ? null : reentrancy.requestWithoutId(lease, lock);
        if (request == null) {
            return new Result.AlreadyReleased();
        }
        return request.waiting() != null ? leave(request) : release(request, EndReason.RELEASED, "");
    }

    private Result leave(Request waiting) {
        transitions.leave(waiting, EndReason.CANCELLED, new Result.Refused(Refusal.CANCELLED, "seq"));
        return new Result.Cancelled(Was.WAITING);
    }

    private Result release(Request grant, EndReason reason, String detail) {
        return new Result.Released(transitions.release(grant, reason, detail));
    }
}
