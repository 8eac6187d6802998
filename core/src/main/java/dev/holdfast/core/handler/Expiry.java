package dev.holdfast.core.handler;

import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.LeaseEnds;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;
import dev.holdfast.core.time.Timer;

/**
 * Ends what is due: leases, waits, holds, lock-delays, the quarantine.
 *
 * <p>It grants nothing. The grant pass comes after all of it, so that nothing goes to a lease or a waiter
 * that ends at the same time.
 */
public final class Expiry {
    private final State state;
    private final Ledger ledger;
    private final Transitions transitions;
    private final LeaseEnds ends;

    public Expiry(State state, Ledger ledger, Transitions transitions, LeaseEnds ends) {
        this.state = state;
        this.ledger = ledger;
        this.transitions = transitions;
        this.ends = ends;
    }

    /** Ends as much as one entry may; the rest comes up again with the next. */
    public void endDue() {
        while (!ends.isSpent()) {
            Timer timer = state.deadlines().nextDue(state.now());
            if (timer == null) {
                return;
            }
            end(timer);
        }
    }

    private void end(Timer timer) {
        if (timer instanceof Lease lease) {
            ends.end(lease, EndReason.LEASE_EXPIRED);
            return;
        }
        ends.count();
        if (timer instanceof Request.End end) {
            end(end.what(), end.request());
        } else {
            ledger.endQuarantine();
        }
    }

    private void end(Timer.What what, Request request) {
        if (what == Timer.What.WAIT) {
            Result.Final answer =
                    new Result.Refused(Refusal.TIMEOUT, request.key().toString());
            transitions.leave(request, EndReason.TIMEOUT, answer);
        } else if (what == Timer.What.HOLD) {
            transitions.release(request, EndReason.MAX_HOLD, "");
        } else {
            transitions.endLingering(request);
        }
    }
}
