package dev.holdfast.server.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.metrics.NodeMetrics;
import dev.holdfast.server.operation.Failures;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Answers requests of one kind.
 *
 * <p>The answer is written on the event loop of the request, not by the thread that happens to know it: that is mostly
 * the one that applies entries, and all others wait for it.
 */
final class Endpoint implements HttpService {
    /** What may arrive whole before anybody asks who sends it. */
    private static final long SMALL_BODY_BYTES = 4 * 1024;

    private final Failures failures;
    private final NodeMetrics metrics;
    private final Work work;

    /** What an endpoint does: starts at once, and never waits. */
    interface Work {
        CompletableFuture<Reply> start(Call call);
    }

    Endpoint(Failures failures, NodeMetrics metrics, Work work) {
        this.failures = failures;
        this.metrics = metrics;
        this.work = work;
    }

    /** In one piece, which costs much less than a stream; but a large request is refused by its header, if it is. */
    @Override
    public ExchangeType exchangeType(RoutingContext routing) {
        long length = routing.headers().contentLength();
        return length >= 0 && length <= SMALL_BODY_BYTES ? ExchangeType.UNARY : ExchangeType.REQUEST_STREAMING;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        EventLoop loop = context.eventLoop().withoutContext();
        Optional<Runnable> timed = metrics.trace(Caller.traceOf(context));
        CompletableFuture<AggregatedHttpRequest> whole = request.aggregate(loop);
        CompletableFuture<Reply> answer = whole.thenCompose(arrived -> start(context, arrived))
                .exceptionallyCompose(failure -> whole.isCompletedExceptionally() || context.isCancelled()
                        ? CompletableFuture.completedFuture(incomplete(failure, context))
                        : refused(failure, context));
        timed.ifPresent(answered -> {
            var unused = answer.thenRunAsync(answered, loop);
        });
        return answer.isDone()
                ? answer.join().response()
                : HttpResponse.of(answer.thenApplyAsync(Reply::response, loop));
    }

    private CompletableFuture<Reply> start(ServiceRequestContext context, AggregatedHttpRequest arrived) {
        Throwable late = context.cancellationCause();
        if (late != null) {
            // That nothing was done has been said, though perhaps not yet written.
            return CompletableFuture.failedFuture(late);
        }
        // How long the answer takes is up to the one who asks.
        context.clearRequestTimeout();
        return work.start(new Call(context, arrived.content().array()));
    }

    /** Says no at once, or later to whoever has heard it too often. */
    private CompletableFuture<Reply> refused(Throwable failure, ServiceRequestContext context) {
        CompletableFuture<Reply> reply = CompletableFuture.completedFuture(Reply.of(failures.rejection(failure)));
        long wait = Failures.isRefusal(failure) ? Caller.of(context).refused() : 0;
        return wait == 0
                ? reply
                : reply.thenApplyAsync(
                        said -> said,
                        CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, context.eventLoop()));
    }

    /** The request has not arrived whole, or too late. */
    private static Reply incomplete(Throwable failure, ServiceRequestContext context) {
        Throwable cause = Exceptions.peel(failure);
        Reply reply = ErrorPages.reply(
                cause instanceof ContentTooLargeException
                        ? HttpStatus.REQUEST_ENTITY_TOO_LARGE
                        : cause instanceof RequestTimeoutException
                                ? HttpStatus.REQUEST_TIMEOUT
                                : HttpStatus.BAD_REQUEST);
        return ErrorPages.isLast(reply.status(), context)
                ? new Reply(reply.status(), Map.of(HttpHeaderNames.CONNECTION, "close"), reply.body())
                : reply;
    }
}
