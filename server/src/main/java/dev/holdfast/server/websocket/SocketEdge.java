package dev.holdfast.server.websocket;

import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Permission;
import dev.holdfast.server.edge.Bounds;
import dev.holdfast.server.edge.Derivation;
import dev.holdfast.server.edge.Failures;
import dev.holdfast.server.edge.Locking;
import dev.holdfast.server.edge.NodeParts;
import dev.holdfast.server.rest.Origins;
import dev.holdfast.server.rest.Reply;
import io.netty.channel.EventLoop;
import java.util.Set;

/**
 * Locks over WebSocket: {@code /api/v1/ws}.
 *
 * <p>Who a client is, is settled before the connection opens: a request to open one passes the same gate as any other,
 * so there is never a connection of nobody.
 */
public final class SocketEdge {
    public static final String PATH = "/api/v1/ws";

    /** A request with a key and a client id of the longest kind, every character of them escaped. */
    static final int MOST_FRAME_BYTES = 8 * 1024;

    private final Parts parts;
    private final Set<String> origins;

    /** What the connections share. */
    record Parts(NodeParts node, Locking locking, Bounds bounds, Failures failures, Derivation derivation) {}

    /**
     * An edge to be added to a server.
     *
     * @param origins other web sites whose pages may connect, such as {@code https://example.com}; pages of this node
     *     always may
     */
    public SocketEdge(NodeParts node, Derivation derivation, Set<String> origins) {
        this.parts = new Parts(
                node,
                new Locking(node),
                new Bounds(node.replica()),
                new Failures(node.facts().reach()),
                derivation);
        this.origins = Set.copyOf(origins);
    }

    public void addTo(ServerBuilder server, Gate gate) {
        WebSocketService service = WebSocketService.builder(this::open)
                .maxFramePayloadLength(MOST_FRAME_BYTES)
                // Judged by us: the library refuses all who say nothing as soon as there is a list.
                .allowedOrigins("*")
                .build();
        HttpService guarded =
                gate.guard(Permission.LOCK, service, error -> Reply.of(error).response());
        server.service(PATH, new Origins(guarded, origins));
    }

    private WebSocket open(ServiceRequestContext context, WebSocket in) {
        EventLoop loop = context.eventLoop().withoutContext();
        SocketConnection connection = new SocketConnection(parts, Caller.of(context), loop);
        in.subscribe(connection, loop);
        return connection.output();
    }
}
