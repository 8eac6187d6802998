package dev.holdfast.server.grpc;

import dev.holdfast.core.result.Applied;
import dev.holdfast.protocol.v1.Header;
import dev.holdfast.protocol.v1.LeaseKeepAliveRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Requests.Renewed;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of one stream. What arrives in one turn of the event loop is renewed together; answers come in
 * the order of the requests.
 *
 * <p>Confined to the event loop of its call. A client that does not read its answers is not read from.
 */
final class KeepAliveStream implements StreamObserver<LeaseKeepAliveRequest> {
    /** How many requests may be on their way. */
    private static final int WINDOW = 4_096;

    private static final long MILLIS_PER_SECOND = 1_000;

    private final Commands commands;
    private final GrpcNode edge;
    private final Failures failures;
    private final Caller caller;
    private final EventLoop loop;
    private final ServerCallStreamObserver<LeaseKeepAliveResponse> call;
    private List<Long> arrived = new ArrayList<>();
    private CompletableFuture<@Nullable Void> answered = CompletableFuture.completedFuture(null);
    private int credit;
    private boolean ended;

    KeepAliveStream(
            GrpcNode edge, Caller caller, EventLoop loop, ServerCallStreamObserver<LeaseKeepAliveResponse> call) {
        this.commands = edge.commands();
        this.edge = edge;
        this.failures = edge.failures();
        this.caller = caller;
        this.loop = loop;
        this.call = call;
        call.disableAutoRequest();
        call.setOnReadyHandler(() -> loop.execute(this::readOn));
        call.setOnCancelHandler(() -> ended = true);
        call.request(WINDOW);
    }

    @Override
    public void onNext(LeaseKeepAliveRequest request) {
        if (ended) {
            return;
        }
        if (request.getId() == 0) {
            fail(Rejected.invalid("id", "is 0; name the lease"));
            return;
        }
        arrived.add(request.getId());
        if (arrived.size() == 1) {
            loop.execute(this::renew);
        }
    }

    private void renew() {
        if (arrived.isEmpty() || ended) {
            return;
        }
        long[] leases = arrived.stream().mapToLong(Long::longValue).toArray();
        arrived = new ArrayList<>();
        CompletableFuture<Renewed> renewed = commands.renew(caller, leases);
        answered = answered.thenCombineAsync(
                renewed.handle((value, failure) -> {
                    Runnable answer =
                            failure != null || value == null ? () -> fail(failure) : () -> answer(leases, value);
                    return answer;
                }),
                (before, answer) -> {
                    answer.run();
                    return null;
                },
                loop);
    }

    private void answer(long[] leases, Renewed renewed) {
        if (ended) {
            return;
        }
        Header header = edge.header(renewed.stamp());
        for (int i = 0; i < leases.length; i++) {
            LeaseKeepAliveResponse.Builder response =
                    LeaseKeepAliveResponse.newBuilder().setHeader(header).setId(leases[i]);
            long end = renewed.ends()[i];
            if (end != Applied.NOT_RENEWED) {
                long left = end - renewed.stamp().now();
                // 0 says that the lease is gone.
                response.setTtl(Math.max(1, left / MILLIS_PER_SECOND))
                        .setTtlMs(left)
                        .setEndMs(end);
            }
            call.onNext(response.build());
        }
        credit += leases.length;
        readOn();
    }

    private void readOn() {
        if (credit > 0 && !ended && call.isReady()) {
            call.request(credit);
            credit = 0;
        }
    }

    private void fail(@Nullable Throwable failure) {
        if (!ended) {
            ended = true;
            call.onError(
                    GrpcErrors.exception(failures, failure == null ? new IllegalStateException("no answer") : failure));
        }
    }

    @Override
    public void onError(Throwable failure) {
        ended = true;
    }

    /** The client has sent all it will; it still gets its answers. */
    @Override
    public void onCompleted() {
        renew();
        answered = answered.thenRunAsync(
                () -> {
                    if (!ended) {
                        ended = true;
                        call.onCompleted();
                    }
                },
                loop);
    }
}
