package dev.holdfast.server.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.edge.Failures;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of one kind.
 *
 * <p>The answer is written on the event loop of the request, not by the thread that happens to know it: that is mostly
 * the one that applies entries, and all others wait for it.
 */
final class Endpoint implements HttpService {
    private final Failures failures;
    private final Work work;

    /** What an endpoint does: starts at once, and never waits. */
    interface Work {
        CompletableFuture<Reply> start(Call call);
    }

    Endpoint(Failures failures, Work work) {
        this.failures = failures;
        this.work = work;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        EventLoop events = context.eventLoop().withoutContext();
        Executor loop = atOnceOn(events);
        Watcher watcher = new Watcher();
        CompletableFuture<HttpResponse> answer = whole(request, events)
                .thenCompose(whole -> work.start(watcher.call(context, whole)))
                .handleAsync(
                        (reply, failure) -> (failure == null ? reply : reply(failure, watcher, context)).response(),
                        loop);
        HttpResponse response = HttpResponse.of(answer);
        var unused = response.whenComplete().whenCompleteAsync((done, failure) -> watcher.ended(failure), loop);
        return response;
    }

    /** The request with its body, which has a time to arrive in, however it trickles. */
    private static CompletableFuture<AggregatedHttpRequest> whole(HttpRequest request, EventLoop loop) {
        CompletableFuture<AggregatedHttpRequest> whole = request.aggregate(loop);
        if (!whole.isDone()) {
            Runnable giveUp = () -> whole.completeExceptionally(new TimeoutException("the body did not arrive"));
            Future<?> timer = loop.schedule(giveUp, RestEdge.BODY_TIME.toMillis(), TimeUnit.MILLISECONDS);
            var unused = whole.whenComplete((arrived, failure) -> timer.cancel(false));
        }
        return whole;
    }

    /** What is known on the event loop already is not queued behind the requests of others. */
    private static Executor atOnceOn(EventLoop loop) {
        return task -> {
            if (loop.inEventLoop()) {
                task.run();
            } else {
                loop.execute(task);
            }
        };
    }

    private Reply reply(Throwable failure, Watcher watcher, ServiceRequestContext context) {
        if (watcher.call != null) {
            return Reply.of(failures.error(failure));
        }
        // The request has not arrived whole.
        Throwable cause = Exceptions.peel(failure);
        Reply reply = ErrorPages.reply(
                cause instanceof ContentTooLargeException
                        ? HttpStatus.REQUEST_ENTITY_TOO_LARGE
                        : cause instanceof TimeoutException ? HttpStatus.REQUEST_TIMEOUT : HttpStatus.BAD_REQUEST);
        // What is still to come of it would be taken for the next request, if there can be no other in between.
        return context.sessionProtocol().isMultiplex()
                ? reply
                : new Reply(reply.status(), Map.of(HttpHeaderNames.CONNECTION, "close"), reply.body());
    }

    /** Sees whether the client is still there when it is answered. Confined to the event loop. */
    private static final class Watcher {
        private @Nullable Call call;
        private boolean left;

        Call call(ServiceRequestContext context, AggregatedHttpRequest whole) {
            Call begun = new Call(context, whole.content().array());
            call = begun;
            if (left) {
                begun.left();
            }
            return begun;
        }

        void ended(@Nullable Throwable failure) {
            left = failure != null;
            if (left && call != null) {
                call.left();
            }
        }
    }
}
