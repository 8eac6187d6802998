package dev.holdfast.server.rest;

import dev.holdfast.protocol.Cursor;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.request.Rejected;
import java.nio.charset.StandardCharsets;

/** Reads bytes as the REST edge does: bodies, and what names locks, holders and places in the history. */
public final class RestDecoder {
    private RestDecoder() {}

    public static void body(byte[] bytes, Bounds bounds) {
        try {
            AcquireRequest request = AcquireRequest.read(new Fields(Json.parse(bytes)), Caller.OF_THIS_PROCESS, bounds);
            var unused = request.acquire(Credential.NOBODYS, "");
        } catch (Rejected refused) {
            requireNamed(refused);
        }
    }

    public static void names(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            LockName name = LockName.parse(text);
            require(name.encode().equals(text), text);
        } catch (Rejected refused) {
            requireNamed(refused);
        }
        Credential.parse(text).ifPresent(token -> require(token.encode().equals(text), text));
        Cursor.parse(text)
                .ifPresent(cursor -> require(
                        Cursor.parse(cursor.toString()).filter(cursor::equals).isPresent(), text));
    }

    private static void requireNamed(Rejected refused) {
        require(!refused.rejection().subject().isEmpty(), "a refusal that names nothing");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
