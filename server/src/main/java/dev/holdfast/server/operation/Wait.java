package dev.holdfast.server.operation;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.operation.PendingRequest.News;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Stamp;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One request's wait in the queue, for a call that is answered when the wait ends.
 *
 * <pre>
 * ASKED --{@link #queued}--> WAITING --event of a later revision--> ended
 *   |                           |
 *   +---------------------------+--the state was replaced: outcome unknown--> ended
 *   +---------------------------+--the client left--> abandoned
 * </pre>
 */
final class Wait implements LeaseListeners.Listener {
    private final PendingRequest request;
    private final LockReplica replica;
    private final CompletableFuture<Answer> end = new CompletableFuture<>();

    Wait(RequestId id, LockReplica replica) {
        this.request = new PendingRequest(id);
        this.replica = replica;
    }

    /** The request has this place in the queue; completes when its wait ends. */
    CompletableFuture<Answer> queued(Result.Queued place) {
        List<News> early;
        synchronized (this) {
            early = request.answered(place);
        }
        early.forEach(this::tell);
        return end;
    }

    @Override
    public void happened(Event event, Stamp stamp) {
        if (!(event instanceof Event.OfLocks ofLocks) || !RequestId.of(ofLocks).equals(request.id())) {
            return;
        }
        News news = News.of(event, stamp, replica);
        synchronized (this) {
            if (!request.isAnswered()) {
                request.keep(news);
                return;
            }
        }
        if (request.isNews(news)) {
            tell(news);
        }
    }

    private void tell(News news) {
        if (news.ending() != null) {
            end.complete(news.ending());
        }
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
