package dev.holdfast.server.access;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that asks a node as much as the transport takes. It is told on its standard input what to send on how many
 * connections, {@code UNLOCK 4}; it answers each such line with how many requests it sent for the one before.
 */
final class Flooder {
    /** What it sends. */
    enum Kind {
        /** Nothing, and takes as much time of a processor as it can get: what others are compared with. */
        BURN,
        /** Unlocks of leases that never were. */
        UNLOCK,
        /** Renewals of leases that never were, a thousand in each. */
        RENEW,
        /** Acquires of a key that it may not lock. */
        DENIED,
        /** The same as calls of their own. */
        DENIED_CALLS,
        /** Acquires of a key that it holds. */
        ACQUIRE
    }

    private static final int PER_FRAME = 256;
    private static final int CALLS_OPEN = 1_000;

    private final int port;
    private final String token;
    private final AtomicLong sent = new AtomicLong();
    private volatile boolean running;

    private Flooder(int port, String token) {
        this.port = port;
        this.token = token;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Flooder flooder = new Flooder(Integer.parseInt(arguments[0]), arguments.length > 1 ? arguments[1] : "");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<Thread> threads = List.of();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            flooder.running = false;
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println(flooder.sent.getAndSet(0));
            System.out.flush();
            flooder.running = true;
            String[] words = line.split(" ", -1);
            threads = flooder.start(Kind.valueOf(words[0]), Integer.parseInt(words[1]));
        }
        System.exit(0); // whatever is open
    }

    private List<Thread> start(Kind kind, int connections) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Thread thread = new Thread(() -> flood(kind), "flood-" + i);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private void flood(Kind kind) {
        if (kind == Kind.BURN) {
            while (running) {
                Thread.onSpinWait();
            }
            return;
        }
        // A factory of its own is a connection of its own.
        try (ClientFactory connection = ClientFactory.builder()
                .workerGroup(1)
                .http2InitialConnectionWindowSize(16 << 20)
                .build()) {
            LockServiceStub locks = GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
                    .factory(connection)
                    .responseTimeoutMillis(0)
                    .decorator((delegate, context, request) -> {
                        if (!token.isEmpty()) {
                            context.setAdditionalRequestHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + token);
                        }
                        return delegate.execute(context, request);
                    })
                    .build(LockServiceStub.class);
            if (kind == Kind.DENIED_CALLS) {
                calls(locks);
            } else {
                session(locks, kind);
            }
        }
    }

    private void calls(LockServiceStub locks) {
        Semaphore open = new Semaphore(CALLS_OPEN);
        while (running) {
            open.acquireUninterruptibly();
            sent.incrementAndGet();
            locks.tryLock(
                    TryLockRequest.newBuilder()
                            .setName("other/k")
                            .setLeaseId(7)
                            .setSeq(1)
                            .build(),
                    new StreamObserver<TryLockResponse>() {
                        @Override
                        public void onNext(TryLockResponse response) {}

                        @Override
                        public void onError(Throwable failure) {
                            open.release();
                        }

                        @Override
                        public void onCompleted() {
                            open.release();
                        }
                    });
        }
    }

    private void session(LockServiceStub locks, Kind kind) {
        Stream stream = new Stream();
        StreamObserver<ClientFrame> out = locks.session(stream);
        long lease = 1 + System.nanoTime();
        out.onNext(ClientFrame.newBuilder()
                .addMessages(ClientMessage.newBuilder().setId(1).setHello(Hello.getDefaultInstance()))
                .addMessages(ClientMessage.newBuilder()
                        .setId(2)
                        .setLeaseGrant(
                                LeaseGrantRequest.newBuilder().setId(lease).setTtl(60)))
                .build());
        ClientFrame frame = frame(kind, lease);
        while (running && !stream.ended) {
            if (stream.call.isReady()) {
                out.onNext(frame);
                sent.addAndGet(frame.getMessagesCount());
            } else {
                LockSupport.parkNanos(50_000);
            }
        }
        stream.call.cancel("enough", null);
    }

    private static ClientFrame frame(Kind kind, long lease) {
        ClientFrame.Builder frame = ClientFrame.newBuilder();
        int messages = kind == Kind.RENEW ? 7 : PER_FRAME;
        for (int i = 0; i < messages; i++) {
            frame.addMessages(message(kind, lease, i).setId(3 + i));
        }
        return frame.build();
    }

    private static ClientMessage.Builder message(Kind kind, long lease, int number) {
        ClientMessage.Builder message = ClientMessage.newBuilder();
        return switch (kind) {
            case UNLOCK ->
                message.setRelease(UnlockRequest.newBuilder().setName("flood/k").setLeaseId(9_000_000L + number));
            case RENEW -> {
                Renew.Builder renew = Renew.newBuilder();
                for (int i = 0; i < 1_000; i++) {
                    renew.addLeaseIds(9_000_000L + i);
                }
                yield message.setRenew(renew);
            }
            case DENIED ->
                message.setAcquire(LockRequest.newBuilder()
                        .setName("other/k")
                        .setLeaseId(lease)
                        .setSeq(1));
            case ACQUIRE ->
                message.setAcquire(
                        LockRequest.newBuilder().setName("flood/k" + lease).setLeaseId(lease));
            case BURN, DENIED_CALLS -> throw new IllegalArgumentException(kind + " has no messages");
        };
    }

    /** Reads whatever comes. */
    private static final class Stream implements ClientResponseObserver<ClientFrame, ServerFrame> {
        @SuppressWarnings("NullAway.Init") // set before the call begins
        private ClientCallStreamObserver<ClientFrame> call;

        private volatile boolean ended;

        @Override
        public void beforeStart(ClientCallStreamObserver<ClientFrame> begun) {
            call = begun;
        }

        @Override
        public void onNext(ServerFrame frame) {}

        @Override
        public void onError(Throwable failure) {
            ended = true;
        }

        @Override
        public void onCompleted() {
            ended = true;
        }
    }
}
