package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.WatchUpdate;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.watch.KeyEvents;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoop;

/**
 * A stream of watches. Confined to the event loop of its call.
 *
 * <p>A client that has sent all its requests and closed its side keeps its watches; the stream ends with the last.
 */
final class WatchStream implements StreamObserver<WatchRequest>, Watches.Output {
    private final ServerCallStreamObserver<WatchResponse> call;
    private final GrpcNode edge;
    private final Watches watches;
    private final Runnable closed;
    private boolean unread;
    private boolean halfClosed;
    private boolean ended;

    WatchStream(
            GrpcNode edge,
            Caller caller,
            EventLoop loop,
            ServerCallStreamObserver<WatchResponse> call,
            Runnable closed) {
        this.call = call;
        this.closed = closed;
        this.edge = edge;
        this.watches = edge.watches(KeyEvents.withoutLeases(), caller, loop, this);
        call.disableAutoRequest();
        call.setOnReadyHandler(() -> loop.execute(this::readyAgain));
        call.setOnCancelHandler(this::end);
        call.request(1);
    }

    @Override
    public void onNext(WatchRequest request) {
        if (!ended) {
            if (request.getCancel()) {
                watches.cancel(0, request.getWatchId());
            } else {
                watches.open(0, ProtoMapper.watch(request));
            }
            unread = true;
            readOn();
        }
    }

    @Override
    public boolean isReady() {
        return !ended && call.isReady();
    }

    @Override
    public void send(long messageId, WatchUpdate update) {
        if (!ended) {
            call.onNext(ProtoMapper.watch(update, edge));
        }
        if (update.kind() == WatchUpdate.Kind.ENDED || update.kind() == WatchUpdate.Kind.REFUSED) {
            completeIfDone();
        }
    }

    @Override
    public void onError(Throwable failure) {
        end();
    }

    @Override
    public void onCompleted() {
        halfClosed = true;
        completeIfDone();
    }

    private void readyAgain() {
        readOn();
        watches.pump();
    }

    /** Asks for the next request only once the answers so far are on their way: they must not pile up. */
    private void readOn() {
        if (unread && isReady()) {
            unread = false;
            call.request(1);
        }
    }

    private void completeIfDone() {
        if (halfClosed && !ended && watches.size() == 0) {
            call.onCompleted();
            end();
        }
    }

    private void end() {
        if (!ended) {
            ended = true;
            watches.close();
            closed.run();
        }
    }
}
