package dev.holdfast.server.rest;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Permission;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.operation.Operation;
import dev.holdfast.server.operation.Watches;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/**
 * The routes of the lock service over HTTP.
 *
 * <p><b>Invariant:</b> nothing here waits. Requests are read and answered on their event loops; what takes time comes
 * back as a future.
 */
public final class RestEdge {
    /** The largest body a client may send. */
    public static final int MAX_BODY_BYTES = 64 * 1024;

    /** How long a body may take to arrive. */
    public static final Duration BODY_TIME = Duration.ofSeconds(10);

    static final String LOCKS = "/api/v1/locks";
    private static final String LOCK = LOCKS + "/{lockId}";
    private static final String RESOURCE = "/api/v1/resources/{resourceId}";

    private static final byte[] DESCRIPTION = description();

    private final List<Route> routes;

    /** What is served where, and what it asks of its callers. */
    public record Route(HttpMethod method, String path, Permission permission, HttpService service) {
        Route(HttpMethod method, String path, Operation operation, HttpService service) {
            this(method, path, operation.permission(), service);
        }
    }

    public RestEdge(NodeCore node, Derivation derivation) {
        this(node, derivation, Watches.Timing.DEFAULT);
    }

    public RestEdge(NodeCore node, Derivation derivation, Watches.Timing watchTiming) {
        Bounds bounds = new Bounds(node.replica());
        Failures failures = new Failures(node.neighbours(), node::failed);
        LeaseRevoker revoker = new LeaseRevoker(node.requests());
        Commands commands = new Commands(node);
        Acquiring acquiring = new Acquiring(node, commands, derivation, revoker);
        ReleaseAndRenew holding = new ReleaseAndRenew(node, commands, revoker);
        Lookups lookups = new Lookups(node, bounds);
        Batches batches = new Batches(acquiring, holding, bounds, failures);
        Endpoints to = work -> new Endpoint(failures, node.metrics(), work);
        routes = List.of(
                new Route(
                        HttpMethod.POST,
                        LOCKS,
                        Operation.LOCK,
                        to.the(call -> acquiring.acquire(
                                call,
                                AcquireRequest.read(call.fields(), call.caller(), bounds),
                                call.header(Acquiring.IDEMPOTENCY_KEY)))),
                new Route(HttpMethod.DELETE, LOCK, Operation.UNLOCK, to.the(call -> holding.release(claim(call)))),
                new Route(HttpMethod.PUT, LOCK + "/renew", Operation.LEASE_KEEP_ALIVE, to.the(call -> {
                    Renewal renewal = Renewal.read(call.fields(), call.header(Acquiring.IDEMPOTENCY_KEY));
                    return holding.renew(claim(call), renewal);
                })),
                new Route(HttpMethod.GET, LOCK, Operation.GET, to.the(lookups::grant)),
                new Route(HttpMethod.GET, LOCKS, Operation.LIST, to.the(lookups::list)),
                new Route(HttpMethod.POST, LOCKS + "/batch", Operation.LOCK, to.the(batches::run)),
                new Route(HttpMethod.POST, LOCKS + "/plan", Operation.PLAN, to.the(lookups::plan)),
                new Route(HttpMethod.GET, RESOURCE, Operation.GET, to.the(lookups::resource)),
                new Route(HttpMethod.GET, RESOURCE + "/history", Operation.HISTORY, to.the(lookups::history)),
                new Route(HttpMethod.GET, RESOURCE + "/explain", Operation.EXPLAIN_KEY, to.the(lookups::explain)),
                new Route(HttpMethod.GET, "/api/v1/watch", Operation.WATCH, new WatchService(node, watchTiming)),
                new Route(
                        HttpMethod.GET,
                        "/api/v1/openapi.json",
                        Permission.PUBLIC,
                        (context, request) -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, DESCRIPTION)));
    }

    /** Makes a service of some work. */
    private interface Endpoints {
        Endpoint the(Endpoint.Work work);
    }

    private static ReleaseAndRenew.Claim claim(Call call) {
        return ReleaseAndRenew.Claim.of(call.part(LockName.FIELD), call.header(ReleaseAndRenew.LOCK_TOKEN), call);
    }

    public List<Route> routes() {
        return routes;
    }

    /** Adds everything to a server that listens on a port. */
    public void addTo(ServerBuilder server, Gate gate) {
        for (Route route : routes) {
            server.route()
                    .methods(route.method())
                    .path(route.path())
                    .maxRequestLength(MAX_BODY_BYTES)
                    .requestTimeout(route.service() instanceof Endpoint ? BODY_TIME : Duration.ZERO)
                    .build(guarded(gate, route.permission(), route.service()));
        }
        server.route()
                .pathPrefix("/api/")
                .maxRequestLength(MAX_BODY_BYTES)
                .build(guarded(gate, Permission.PUBLIC, new NoRoute(routes)));
    }

    private static HttpService guarded(Gate gate, Permission permission, HttpService service) {
        return gate.guard(permission, service, error -> Reply.of(error).response());
    }

    /** The OpenAPI document. */
    private static byte[] description() {
        try (InputStream in = RestEdge.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi.json is missing beside " + RestEdge.class.getName());
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
