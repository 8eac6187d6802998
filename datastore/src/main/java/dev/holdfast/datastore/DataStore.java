package dev.holdfast.datastore;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.InvalidAccessException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/**
 * An HTTP store that refuses clients that no longer hold the lock of a key.
 *
 * <pre>
 * POST /write {"clientID": "c1", "fencingToken": {"key": "orders/42", "value": 33}, "data": "…"}
 *     200 {"success": true}
 *     412 {"success": false, "error": "STALE_TOKEN", …, "presented": "33", "highest": "34"}
 * GET /read?key=orders/42            what is stored, whoever asks
 * GET /read?key=orders/42&amp;token=33   enters, as whoever is about to write does; with &amp;shared=true as a reader
 * </pre>
 *
 * <p>A write may carry a {@code "sequence"}: its number among the writes under its token. It is then done once, however
 * often it is sent.
 */
public final class DataStore implements AutoCloseable {
    public static final int DEFAULT_PORT = 8000;

    static final int MAX_BODY_BYTES = 2 * WriteRequest.MAX_DATA_BYTES;
    private static final int MAX_CONNECTIONS = 1_000;
    private static final long REWRITE_FROM = 1 << 20;

    private final Store store;
    private final Server server;

    private DataStore(Store store, Server server) {
        this.store = store;
        this.server = server;
    }

    /**
     * Opens a directory, creating it if necessary, and serves it.
     *
     * @param address port 0 means any free port
     * @throws IOException if the directory or the address cannot be used; the message says why
     */
    public static DataStore start(Path directory, InetSocketAddress address) throws IOException {
        Store store = Store.open(directory, REWRITE_FROM);
        Server server = Server.builder()
                .http(address)
                .disableServerHeader()
                .maxNumConnections(MAX_CONNECTIONS)
                .maxRequestLength(MAX_BODY_BYTES)
                .requestTimeout(Duration.ofSeconds(30))
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ofSeconds(1))
                .errorHandler(new UnroutedRequests())
                .decorator(new WebPages(address))
                .route()
                .post("/write")
                .build((context, request) -> write(store, context, request))
                .route()
                .get("/read")
                .build((context, request) -> read(store, context))
                .build();
        try {
            server.start().join();
        } catch (CompletionException e) {
            store.close();
            Throwable cause = Exceptions.peel(e);
            throw new IOException("cannot listen on " + address + ": " + cause.getMessage(), cause);
        }
        return new DataStore(store, server);
    }

    public int port() {
        return server.activeLocalPort();
    }

    private static HttpResponse write(Store store, ServiceRequestContext context, HttpRequest request) {
        return HttpResponse.of(request.aggregate()
                .thenApplyAsync(whole -> write(store, whole), context.blockingTaskExecutor())
                .exceptionally(failure -> Answers.failed(Exceptions.peel(failure))));
    }

    private static HttpResponse write(Store store, AggregatedHttpRequest request) {
        WriteRequest write = WriteRequest.parse(request.content().array());
        try {
            return Answers.written(store.write(write.access(), write.clientId(), write.data()));
        } catch (IOException e) {
            return Answers.failed(e);
        }
    }

    private static HttpResponse read(Store store, ServiceRequestContext context) {
        QueryParams asked = context.queryParams();
        return HttpResponse.of(() -> read(store, asked), context.blockingTaskExecutor());
    }

    private static HttpResponse read(Store store, QueryParams asked) {
        try {
            String key = asked.get("key");
            if (key == null) {
                throw new BadRequestException("key", "is absent");
            }
            String token = asked.get("token");
            if (token == null) {
                return Answers.read(key, store.look(key));
            }
            long value = Numbers.parse("token", token);
            boolean shared = Boolean.parseBoolean(asked.get("shared", "false"));
            return Answers.read(key, store.read(shared ? Access.shared(key, value) : Access.exclusive(key, value)));
        } catch (InvalidAccessException e) {
            return Answers.failed(new BadRequestException(e.field(), e.problem()));
        } catch (IOException | RuntimeException e) {
            return Answers.failed(e);
        }
    }

    /** Finishes pending requests, and stops. */
    @Override
    public void close() throws IOException {
        server.stop().join();
        store.close();
    }
}
