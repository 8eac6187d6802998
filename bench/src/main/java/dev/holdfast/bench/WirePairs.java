package dev.holdfast.bench;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.EventLoopGroups;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceFutureStub;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import io.netty.channel.EventLoopGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of acquire and release a second over connections that each have one request on its way: {@code rest|grpc
 * ADDRESS CONNECTIONS SECONDS}.
 *
 * <p>Both ways use the same client library on the same two threads, so that what they cost here is alike. Each
 * connection locks keys of its own.
 */
public final class WirePairs {
    private static final int THREADS = 2;
    private static final long WARM_UP_SECONDS = 20;
    private static final long PAUSE_MILLIS = 200;

    private final EventLoopGroup loops = EventLoopGroups.newEventLoopGroup(THREADS);
    private final List<ClientFactory> factories = new ArrayList<>();
    private final LongAdder pairs = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile boolean stopping;

    private WirePairs() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 4) {
            System.err.println("usage: rest|grpc ADDRESS CONNECTIONS SECONDS");
            System.exit(2);
        }
        String way = arguments[0];
        int connections = Integer.parseInt(arguments[2]);
        long seconds = Long.parseLong(arguments[3]);
        try {
            WirePairs run = new WirePairs();
            double rate = run.measure(way, arguments[1], connections, seconds);
            System.out.printf("%.0f pairs/s by %s, %d failed%n", rate, way, run.failures.sum());
            System.exit(0);
        } catch (ExecutionException e) {
            System.err.println(e.getCause());
            System.exit(1); // the library's threads would go on
        }
    }

    private double measure(String way, String address, int connections, long seconds)
            throws InterruptedException, ExecutionException {
        List<Connection> running = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            // A factory keeps one HTTP/2 connection to a server, and one of HTTP/1 for each request on its way.
            ClientFactory factory =
                    ClientFactory.builder().workerGroup(loops, false).build();
            factories.add(factory);
            String key = "pairs/" + way + "/" + i;
            Connection connection = new Connection(
                    switch (way) {
                        case "grpc" -> grpc(factory, address, key);
                        case "rest" -> rest(factory, address, key);
                        default -> throw new IllegalArgumentException(way + " is neither rest nor grpc");
                    });
            running.add(connection);
            connection.next();
        }
        TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
        long before = pairs.sum();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double rate = (pairs.sum() - before) * 1e9 / (System.nanoTime() - start);
        stopping = true;
        for (Connection connection : running) {
            connection.ended.get();
        }
        factories.forEach(ClientFactory::close);
        return rate;
    }

    /** Does one pair after the other until it is told to stop; who is told that nobody leads tries again. */
    private final class Connection {
        private final Supplier<CompletableFuture<Void>> pair;
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        Connection(Supplier<CompletableFuture<Void>> pair) {
            this.pair = pair;
        }

        void next() {
            var unused = pair.get().whenCompleteAsync((done, failure) -> after(failure), loops);
        }

        private void after(@Nullable Throwable failure) {
            if (stopping) {
                ended.complete(null);
            } else if (failure == null) {
                pairs.increment();
                next();
            } else {
                failures.increment();
                var unused = loops.schedule(this::next, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static Supplier<CompletableFuture<Void>> grpc(ClientFactory factory, String address, String key) {
        LockServiceFutureStub locks = GrpcClients.builder("gproto+http://" + address + "/")
                .factory(factory)
                .responseTimeout(Duration.ofMinutes(1))
                .build(LockServiceFutureStub.class);
        long lease = completable(locks.leaseGrant(
                        LeaseGrantRequest.newBuilder().setTtl(3_600).build()))
                .join()
                .getId();
        AtomicLong counter = new AtomicLong();
        return () -> {
            // A new one each time: what a failed release left is not in the way.
            String name = key + "/" + counter.incrementAndGet();
            TryLockRequest acquire =
                    TryLockRequest.newBuilder().setName(name).setLeaseId(lease).build();
            return completable(locks.tryLock(acquire)).thenCompose(granted -> {
                if (!granted.getAcquired()) {
                    throw new IllegalStateException(granted.toString());
                }
                return completable(locks.unlock(UnlockRequest.newBuilder()
                                .setName(name)
                                .setLeaseId(lease)
                                .setFencingToken(granted.getFencingToken())
                                .build()))
                        .thenAccept(released -> {});
            });
        };
    }

    private static <T> CompletableFuture<T> completable(ListenableFuture<T> future) {
        CompletableFuture<T> result = new CompletableFuture<>();
        future.addListener(
                () -> {
                    try {
                        result.complete(Futures.getDone(future));
                    } catch (ExecutionException e) {
                        result.completeExceptionally(e.getCause());
                    }
                },
                MoreExecutors.directExecutor());
        return result;
    }

    private static Supplier<CompletableFuture<Void>> rest(ClientFactory factory, String address, String key) {
        WebClient http = WebClient.builder("h1c://" + address)
                .factory(factory)
                .responseTimeout(Duration.ofMinutes(1))
                .build();
        AtomicLong counter = new AtomicLong();
        return () -> http.execute(
                        RequestHeaders.of(HttpMethod.POST, "/api/v1/locks"),
                        HttpData.ofUtf8(
                                "{\"resourceId\": \"" + key + "/" + counter.incrementAndGet() + "\", \"ttl\": 30}"))
                .aggregate()
                .thenCompose(granted -> {
                    String body = granted.content(StandardCharsets.UTF_8);
                    if (granted.status().code() != 201) {
                        throw new IllegalStateException(body);
                    }
                    return http.execute(RequestHeaders.of(
                                    HttpMethod.DELETE,
                                    "/api/v1/locks/" + field(body, "lockId"),
                                    "x-lock-token",
                                    field(body, "lockToken")))
                            .aggregate();
                })
                .thenAccept(released -> {
                    if (released.status().code() != 200) {
                        throw new IllegalStateException(released.contentUtf8());
                    }
                });
    }

    /** Found, not parsed: what a client does with an answer is not what is measured. */
    private static String field(String body, String name) {
        String before = "\"" + name + "\":\"";
        int start = body.indexOf(before);
        if (start < 0) {
            throw new IllegalStateException(body);
        }
        return body.substring(start + before.length(), body.indexOf('"', start + before.length()));
    }
}
