package dev.holdfast.simulator.network;

import io.grpc.Attributes;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One gRPC call between two processes, with a connection of its own: the client's end, the server's end, and a pipe in
 * either direction.
 *
 * <p>Messages are immutable and handed over as they are; what is simulated is when they arrive, and whether.
 */
final class StreamCall<Q, A> {
    /** So many messages on their way are what a connection's buffers hold. */
    private static final int BUFFERED = 32;

    private final Wire wire;
    private final Host from;
    private final Host to;
    private final MethodDescriptor<Q, A> method;
    private final Pipe there;
    private final Pipe back;
    private final ClientEnd client = new ClientEnd();
    private final ServerEnd server = new ServerEnd();

    StreamCall(Wire wire, Host from, Host to, MethodDescriptor<Q, A> method) {
        this.wire = wire;
        this.from = from;
        this.to = to;
        this.method = method;
        this.there = new Pipe(wire, from.process().name(), to.process().name());
        this.back = new Pipe(wire, to.process().name(), from.process().name());
    }

    ClientCall<Q, A> client() {
        return client;
    }

    RandomGenerator chance() {
        return wire.chance();
    }

    private void over() {
        from.calls().remove(this);
        to.calls().remove(this);
    }

    /** The connection breaks: both ends learn of it, and what was on its way is lost. */
    void breakOff() {
        over();
        there.breakOff();
        back.breakOff();
        from.process()
                .arrive(wire.delay(), () -> client.closed(Status.UNAVAILABLE.withDescription("connection reset")));
        to.process().arrive(wire.delay(), () -> to.executor().execute(server::cancelled));
    }

    /** One end has died. The other learns of it, unless the way to it is cut: then when it says something. */
    void lost(Host dead) {
        Host other = dead == from ? to : from;
        over();
        (dead == from ? there : back)
                .send(() -> other.process().arrive(0, () -> {
                    if (other == from) {
                        client.closed(Status.UNAVAILABLE.withDescription("connection closed by the other side"));
                    } else {
                        to.executor().execute(server::cancelled);
                    }
                }));
    }

    private void toServer(Runnable task) {
        if (!to.process().isAlive()) {
            // The dead answer with a reset, once something reaches their machine.
            there.send(() -> back.send(() -> from.process()
                    .arrive(0, () -> client.closed(Status.UNAVAILABLE.withDescription("connection refused")))));
            return;
        }
        there.send(() -> to.process().arrive(0, () -> to.executor().execute(task)));
    }

    private void toClient(Runnable task) {
        back.send(() -> from.process().arrive(0, task));
    }

    private final class ClientEnd extends ClientCall<Q, A> {
        private final ArrayDeque<A> inbox = new ArrayDeque<>();
        private ClientCall.@Nullable Listener<A> listener;
        private @Nullable Status end;
        private Metadata trailers = new Metadata();
        private int requested;
        private boolean over;
        private boolean delivering;

        @Override
        public void start(ClientCall.Listener<A> callbacks, Metadata headers) {
            listener = callbacks;
            from.calls().add(StreamCall.this);
            to.calls().add(StreamCall.this);
            toServer(() -> server.begin(headers));
        }

        @Override
        public void request(int count) {
            requested += count;
            deliver();
        }

        private void received(A message) {
            inbox.add(message);
            deliver();
        }

        private void deliver() {
            ClientCall.Listener<A> told = listener;
            if (told == null || delivering) {
                return;
            }
            delivering = true;
            while (!over && requested > 0 && !inbox.isEmpty()) {
                requested--;
                told.onMessage(inbox.remove());
            }
            delivering = false;
            Status ended = end;
            if (!over && ended != null && inbox.isEmpty()) {
                over = true;
                told.onClose(ended, trailers);
            }
        }

        /** The connection is no more; what has arrived is still handed out. */
        void closed(Status status) {
            ended(status, new Metadata());
        }

        private void ended(Status status, Metadata more) {
            if (end == null) {
                end = status;
                trailers = more;
                StreamCall.this.over();
                deliver();
            }
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            if (!over) {
                toServer(server::cancelled);
                inbox.clear();
                from.process().arrive(0, () -> closed(Status.CANCELLED.withDescription(message)));
            }
        }

        @Override
        public void halfClose() {
            toServer(server::halfClosed);
        }

        @Override
        public void sendMessage(Q message) {
            if (!over) {
                toServer(() -> server.received(message));
            }
        }

        @Override
        public boolean isReady() {
            return there.underway() < BUFFERED;
        }
    }

    private final class ServerEnd extends ServerCall<Q, A> {
        private final ArrayDeque<Q> inbox = new ArrayDeque<>();
        private ServerCall.@Nullable Listener<Q> listener;
        private int requested;
        private boolean halfClosed;
        private boolean cancelled;
        private boolean closed;
        private boolean delivering;

        @SuppressWarnings("unchecked")
        void begin(Metadata headers) {
            ServerMethodDefinition<Q, A> handler = (ServerMethodDefinition<Q, A>) to.method(method.getFullMethodName());
            if (handler == null) {
                close(Status.UNIMPLEMENTED.withDescription(method.getFullMethodName()), new Metadata());
                return;
            }
            listener = handler.getServerCallHandler().startCall(this, headers);
            listener.onReady();
            deliver();
        }

        void received(Q message) {
            inbox.add(message);
            deliver();
        }

        void halfClosed() {
            halfClosed = true;
            deliver();
        }

        private void deliver() {
            ServerCall.Listener<Q> told = listener;
            if (told == null || delivering || cancelled) {
                return;
            }
            delivering = true;
            while (requested > 0 && !inbox.isEmpty()) {
                requested--;
                told.onMessage(inbox.remove());
            }
            delivering = false;
            if (halfClosed && inbox.isEmpty()) {
                halfClosed = false;
                told.onHalfClose();
            }
        }

        void cancelled() {
            if (!cancelled && !closed) {
                cancelled = true;
                StreamCall.this.over();
                if (listener != null) {
                    listener.onCancel();
                }
            }
        }

        @Override
        public void request(int count) {
            requested += count;
            deliver();
        }

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(A message) {
            boolean full = !isReady();
            toClient(() -> {
                client.received(message);
                // The first message that makes room again says so.
                if (full && isReady()) {
                    to.process().arrive(wire.delay(), () -> to.executor().execute(this::readyAgain));
                }
            });
        }

        private void readyAgain() {
            if (!cancelled && !closed && listener != null) {
                listener.onReady();
            }
        }

        @Override
        public boolean isReady() {
            return back.underway() < BUFFERED && from.process().isRunning();
        }

        @Override
        public void close(Status status, Metadata trailers) {
            closed = true;
            toClient(() -> client.ended(status, trailers));
            if (listener != null) {
                to.executor().execute(listener::onComplete);
            }
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public MethodDescriptor<Q, A> getMethodDescriptor() {
            return method;
        }

        @Override
        public Attributes getAttributes() {
            return Attributes.EMPTY;
        }
    }
}
