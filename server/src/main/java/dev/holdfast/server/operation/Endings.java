package dev.holdfast.server.operation;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Stamp;
import java.util.Optional;

/** Reads events as the ends of waits. */
public final class Endings {
    private final LockReplica replica;

    public Endings(LockReplica replica) {
        this.replica = replica;
    }

    /**
     * What a request that waited is answered by this event, if it ends a wait. On the thread that applied it: some of
     * the answer is looked up in the state.
     */
    public Optional<Answer> of(Event event, Stamp stamp) {
        return switch (event.kind()) {
            case GRANTED -> {
                Event.Granted granted = (Event.Granted) event;
                yield granted.queuedRevision() > 0 ? answer(granted(granted), stamp) : Optional.empty();
            }
            case MODE_CHANGED -> {
                Event.ModeChanged changed = (Event.ModeChanged) event;
                yield changed.seq() != 0 ? answer(upgraded(changed), stamp) : Optional.empty();
            }
            case LEFT -> answer(refusal((Event.Left) event), stamp);
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, RELEASED, DESCRIBED, DELAY_ENDED ->
                Optional.empty();
        };
    }

    private static Optional<Answer> answer(Result result, Stamp stamp) {
        return Optional.of(new Answer(result, stamp));
    }

    private static Result granted(Event.Granted granted) {
        return new Result.Granted(granted.token(), granted.holds(), granted.leaseEndMillis(), granted.holdEndMillis());
    }

    /** The event does not say when lease and hold end; the answer that is kept for the upgrade does. */
    private Result upgraded(Event.ModeChanged changed) {
        LeaseId id = changed.party().lease();
        return replica.ask(view -> {
            if (view.finished(id, changed.seq()).orElse(null) instanceof Result.Granted granted) {
                return granted;
            }
            long leaseEnd = view.leaseEndMillis(id).orElse(changed.at());
            return new Result.Granted(changed.token(), changed.holds(), leaseEnd, 0);
        });
    }

    private static Result refusal(Event.Left left) {
        String key = left.holds().get(0).key().toString();
        return switch (left.reason()) {
            case TIMEOUT -> new Result.Refused(Refusal.TIMEOUT, key);
            case LEASE_EXPIRED, LEASE_REVOKED -> new Result.Refused(Refusal.LEASE_ENDED, "lease");
            case GRANT_ENDED -> new Result.Refused(Refusal.GRANT_ENDED, key);
            case RELEASED, CANCELLED, MAX_HOLD, FORCED, RESTORED -> new Result.Refused(Refusal.CANCELLED, key);
        };
    }
}
