package dev.holdfast.server.websocket;

import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.request.Rejected;

/**
 * The one message that clients send.
 *
 * @param ttlMillis how long the lock lasts from its grant; 0 in a release
 */
record LockRequest(Command command, LockKey key, String clientId, long ttlMillis) {
    /** What is asked; its number is its place here. */
    enum Command {
        ACQUIRE,
        RELEASE
    }

    static LockRequest read(Fields fields, Bounds bounds) {
        Command command = command(fields);
        LockKey key = bounds.key("key", fields.text("key").orElse(""));
        String clientId = fields.text("clientId").orElse("");
        if (clientId.isEmpty()) {
            throw Rejected.invalid("clientId", "is missing; it identifies a client that reconnects");
        }
        bounds.text("clientId", clientId, Limit.CLIENT_ID_BYTES);
        long ttlMillis = fields.millis("ttl").orElse(0L);
        if (command == Command.ACQUIRE && ttlMillis < 1) {
            throw Rejected.invalid("ttl", 1, ttlMillis, "give the seconds that the lock is to last");
        }
        fields.done();
        return new LockRequest(command, key, clientId, ttlMillis);
    }

    private static Command command(Fields fields) {
        long number = fields.integer("commandType").orElse(-1L);
        if (number < 0 || number >= Command.values().length) {
            throw Rejected.invalid("commandType", "must be 0 to acquire or 1 to release");
        }
        return Command.values()[(int) number];
    }
}
