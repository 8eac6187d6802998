package dev.holdfast.server.operation;

import dev.holdfast.core.event.Event;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One request's wait in the queue, as the node that its client is connected to sees it.
 *
 * <p>The answer that it waits comes from the leader, the event that ends the wait from this node's replica, and
 * either may be first. So events are kept until the answer says from which revision on they count: an earlier event
 * belongs to an earlier request that was known by the same lease and key.
 *
 * <pre>
 * ASKED --{@link #queued}--> WAITING --event of a later revision--> ended
 *   |                           |
 *   +---------------------------+--the state was replaced: outcome unknown--> ended
 *   +---------------------------+--the client left--> abandoned
 * </pre>
 */
final class Wait implements LeaseListeners.Listener {
    private static final long NOT_QUEUED = Long.MAX_VALUE;

    private final RequestId id;
    private final Endings endings;
    private final CompletableFuture<Answer> end = new CompletableFuture<>();
    private final List<Ending> early = new ArrayList<>(1);
    private long queuedRevision = NOT_QUEUED;

    private record Ending(long revision, Answer answer) {}

    Wait(RequestId id, Endings endings) {
        this.id = id;
        this.endings = endings;
    }

    /** The request has this place in the queue; completes when its wait ends. */
    CompletableFuture<Answer> queued(long revision) {
        Optional<Ending> ended;
        synchronized (this) {
            queuedRevision = revision;
            ended = early.stream()
                    .filter(ending -> ending.revision() > revision)
                    .findFirst();
            early.clear();
        }
        ended.ifPresent(ending -> end.complete(ending.answer()));
        return end;
    }

    @Override
    public void happened(Event event, Stamp stamp) {
        if (!(event instanceof Event.OfLocks ofLocks) || !RequestId.of(ofLocks).equals(id)) {
            return;
        }
        Optional<Answer> answer = endings.of(event, stamp);
        if (answer.isEmpty()) {
            return;
        }
        synchronized (this) {
            if (queuedRevision == NOT_QUEUED) {
                early.add(new Ending(event.revision(), answer.get()));
                return;
            }
            if (event.revision() <= queuedRevision) {
                return;
            }
        }
        end.complete(answer.get());
    }

    @Override
    public void interrupted() {
        end.completeExceptionally(RequestFailure.unknown(
                RequestFailure.Reason.NO_QUORUM,
                "this node fell behind and took over another's state, so what became of the wait is unknown"));
    }

    /** Nobody wants to know any more. */
    void abandon() {
        end.completeExceptionally(
                Rejection.of(ErrorCode.CANCELLED, "call", "the client left").toException());
    }
}
