package dev.holdfast.server.websocket;

import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Permission;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.rest.Reply;
import io.netty.channel.EventLoop;
import java.time.Duration;

/**
 * Locks over WebSocket: {@code /api/v1/ws}.
 *
 * <p>Who a client is, the request to open a connection says in its header, or the first message does: a page in a
 * browser cannot set headers. Until then it can do nothing, and it does not have long.
 */
public final class SocketEdge {
    public static final String PATH = "/api/v1/ws";

    /** The longest token; and a request with a key and a client id of the longest kind, every character escaped. */
    static final int MAX_FRAME_BYTES = 9 * 1024;

    /** How long a client may take to say who it is. */
    static final Duration LOGIN_TIME = Duration.ofSeconds(5);

    private final Parts parts;

    /** What the connections share. */
    record Parts(NodeCore node, Commands commands, Bounds bounds, Failures failures, Derivation derivation) {}

    public SocketEdge(NodeCore node, Derivation derivation) {
        this.parts = new Parts(
                node,
                new Commands(node),
                new Bounds(node.replica()),
                new Failures(node.neighbours(), node::failed),
                derivation);
    }

    /** Adds it to a server that listens on a port. */
    public void addTo(ServerBuilder server, Gate gate) {
        WebSocketService service = WebSocketService.builder((context, in) -> open(context, in, gate))
                .maxFramePayloadLength(MAX_FRAME_BYTES)
                // The gate judges them: the library refuses all who say nothing as soon as there is a list.
                .allowedOrigins("*")
                .build();
        server.service(
                PATH,
                gate.guard(Permission.LOGIN, service, error -> Reply.of(error).response()));
    }

    private WebSocket open(ServiceRequestContext context, WebSocket in, Gate gate) {
        EventLoop loop = context.eventLoop().withoutContext();
        SocketConnection connection = new SocketConnection(parts, Caller.of(context), new Login(gate, context), loop);
        in.subscribe(connection, loop);
        return connection.output();
    }
}
