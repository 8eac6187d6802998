package dev.holdfast.client.session;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.protocol.v1.Error;
import io.grpc.MethodDescriptor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The calls of a session outside its stream that have no answer yet. */
public final class UnaryCalls implements SessionPart {
    private final Session session;
    private final Set<UnaryCall<?, ?>> open = new LinkedHashSet<>();

    UnaryCalls(Session session) {
        this.session = session;
    }

    /** Calls the cluster and waits for the answer; if a node fails, calls another. */
    public <Q, A> A call(MethodDescriptor<Q, A> method, Q request) throws InterruptedException {
        return Waiting.interruptibly(callAsync(method, request));
    }

    /** As {@link #call}, but an interrupt does not end the wait. */
    public <Q, A> A callUninterruptibly(MethodDescriptor<Q, A> method, Q request) {
        return Waiting.uninterruptibly(callAsync(method, request));
    }

    /** As {@link #call}, without a thread that waits. */
    public <Q, A> CompletableFuture<A> callAsync(MethodDescriptor<Q, A> method, Q request) {
        UnaryCall<Q, A> call = new UnaryCall<>(session, method, request);
        session.execute(() -> {
            open.add(call);
            Replies.then(call.reply(), (answer, failure) -> session.execute(() -> open.remove(call)));
            call.begin();
        });
        return call.reply();
    }

    @Override
    public void barred(Error error, HoldfastException refusal) {
        fail(refusal);
    }

    @Override
    public void close() {
        fail(Session.clientClosed());
    }

    private void fail(HoldfastException failure) {
        List.copyOf(open).forEach(call -> call.fail(failure));
    }
}
