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
import dev.holdfast.cli.output.Logging;
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
 * Pairs of acquire and release a second, over REST and by gRPC unary calls: {@code ADDRESS CONNECTIONS SECONDS ROUNDS}.
 *
 * <p>Each connection has one request on its way and locks keys of its own. Both ways use the same client library on the
 * same two threads of the same process, so that what they cost here is alike. Both are warmed up first, for a server
 * compiles its code while it runs; then they take turns, so that what else happens on the machine meets both.
 */
public final class WirePairs {
    private static final int THREADS = 2;
    private static final long WARM_UP_SECONDS = 60;
    private static final long PAUSE_MILLIS = 200;

    private final EventLoopGroup loops = EventLoopGroups.newEventLoopGroup(THREADS);
    private final String address;
    private final int connections;

    private WirePairs(String address, int connections) {
        this.address = address;
        this.connections = connections;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 4) {
            System.err.println("usage: ADDRESS CONNECTIONS SECONDS ROUNDS");
            System.exit(2);
        }
        Logging.errorsOnly();
        WirePairs pairs = new WirePairs(arguments[0], Integer.parseInt(arguments[1]));
        try {
            pairs.measure(Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]));
            System.exit(0);
        } catch (ExecutionException e) {
            System.err.println(e.getCause());
            System.exit(1); // the library's threads would go on
        }
    }

    private void measure(long seconds, int rounds) throws InterruptedException, ExecutionException {
        Way rest = new Way("rest", WirePairs::rest);
        Way grpc = new Way("grpc", WirePairs::grpc);
        for (Way way : List.of(rest, grpc)) {
            System.out.printf("warming up: %.0f pairs/s by %s%n", way.run(WARM_UP_SECONDS), way.name);
        }
        for (int i = 0; i < rounds; i++) {
            for (Way way : List.of(rest, grpc)) {
                double rate = way.run(seconds);
                way.rates.add(rate);
                System.out.printf("%.0f pairs/s by %s%n", rate, way.name);
            }
        }
        for (Way way : List.of(rest, grpc)) {
            System.out.printf("median by %s: %.0f pairs/s, %d failed%n", way.name, way.median(), way.failures.sum());
        }
    }

    /** How a connection does its pairs. */
    private interface Opening {
        Supplier<CompletableFuture<Void>> open(ClientFactory factory, String address, String key);
    }

    /** One of the two ways, with connections that stay open between its turns. */
    private final class Way {
        private final String name;
        private final List<Connection> open = new ArrayList<>();
        private final List<Double> rates = new ArrayList<>();
        private final LongAdder pairs = new LongAdder();
        private final LongAdder failures = new LongAdder();

        Way(String name, Opening opening) {
            this.name = name;
            for (int i = 0; i < connections; i++) {
                // A factory keeps one HTTP/2 connection to a server, and one of HTTP/1 for each request on its way.
                ClientFactory factory = ClientFactory.builder()
                        .workerGroup(loops, false)
                        .idleTimeout(Duration.ZERO)
                        .build();
                open.add(new Connection(this, opening.open(factory, address, "pairs/" + name + "/" + i)));
            }
        }

        /** Pairs a second while every connection was busy. */
        double run(long seconds) throws InterruptedException, ExecutionException {
            open.forEach(Connection::start);
            long before = pairs.sum();
            long start = System.nanoTime();
            TimeUnit.SECONDS.sleep(seconds);
            double rate = (pairs.sum() - before) * 1e9 / (System.nanoTime() - start);
            for (Connection connection : open) {
                connection.stop();
            }
            for (Connection connection : open) {
                connection.ended.get();
            }
            return rate;
        }

        double median() {
            List<Double> sorted = rates.stream().sorted().toList();
            int middle = sorted.size() / 2;
            return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        }
    }

    /** Does one pair after the other until it is told to stop; who is told that nobody leads tries again. */
    private final class Connection {
        private final Way way;
        private final Supplier<CompletableFuture<Void>> pair;
        private volatile boolean stopping;
        private CompletableFuture<Void> ended = new CompletableFuture<>();

        Connection(Way way, Supplier<CompletableFuture<Void>> pair) {
            this.way = way;
            this.pair = pair;
        }

        void start() {
            stopping = false;
            ended = new CompletableFuture<>();
            next();
        }

        void stop() {
            stopping = true;
        }

        private void next() {
            var unused = pair.get().whenCompleteAsync((done, failure) -> after(failure), loops);
        }

        private void after(@Nullable Throwable failure) {
            if (stopping) {
                ended.complete(null);
            } else if (failure == null) {
                way.pairs.increment();
                next();
            } else {
                way.failures.increment();
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
