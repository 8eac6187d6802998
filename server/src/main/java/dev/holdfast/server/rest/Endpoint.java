package dev.holdfast.server.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.edge.Failures;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
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
        EventLoop loop = context.eventLoop().withoutContext();
        Watcher watcher = new Watcher();
        CompletableFuture<HttpResponse> answer = request.aggregate(context.eventLoop())
                .thenCompose(whole -> work.start(watcher.call(context, whole)))
                .handleAsync((reply, failure) -> failure == null ? reply : reply(failure, watcher), loop)
                .thenApply(Reply::response);
        HttpResponse response = HttpResponse.of(answer);
        var unused = response.whenComplete().whenCompleteAsync((done, failure) -> watcher.ended(failure), loop);
        return response;
    }

    private Reply reply(Throwable failure, Watcher watcher) {
        if (watcher.call != null) {
            return Reply.of(failures.error(failure));
        }
        // The request has not arrived whole.
        return ErrorPages.reply(
                Exceptions.peel(failure) instanceof ContentTooLargeException
                        ? HttpStatus.REQUEST_ENTITY_TOO_LARGE
                        : HttpStatus.BAD_REQUEST);
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
