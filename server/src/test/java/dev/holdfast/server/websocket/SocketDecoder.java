package dev.holdfast.server.websocket;

import dev.holdfast.server.json.Fields;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.request.Rejected;

/** Reads bytes as the WebSocket edge does. */
public final class SocketDecoder {
    private SocketDecoder() {}

    public static void message(byte[] bytes, Bounds bounds) {
        try {
            var unused = LockRequest.read(new Fields(Json.parse(bytes)), bounds);
        } catch (Rejected refused) {
            if (refused.rejection().subject().isEmpty()) {
                throw new AssertionError("a refusal that names nothing");
            }
        }
    }
}
