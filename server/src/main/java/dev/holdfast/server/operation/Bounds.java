package dev.holdfast.server.operation;

import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Rejected;
import java.nio.charset.StandardCharsets;

/**
 * Refuses what is too large to be written into the log at all.
 *
 * <p>The machine judges sizes by its replicated limits, but an entry cannot even carry a field that is above the
 * highest value its limit could ever have.
 */
public final class Bounds {
    /** No answer grows much beyond this: gRPC clients take 4 MiB by default. */
    public static final int MAX_ANSWER_BYTES = 1024 * 1024;

    private final LockReplica replica;

    public Bounds(LockReplica replica) {
        this.replica = replica;
    }

    public LockKey key(String field, String name) {
        if (name.isEmpty()) {
            throw Rejected.invalid(field, "is empty; name a lock, for example orders/42");
        }
        return key(field, LockKey.of(name));
    }

    public LockKey key(String field, LockKey key) {
        size(field, key.length(), Limit.KEY_BYTES);
        return key;
    }

    public String text(String field, String text, Limit limit) {
        // Three bytes a character at the most: short texts need not be encoded to be measured.
        if (text.length() > limit.highest() / 3) {
            size(field, text.getBytes(StandardCharsets.UTF_8).length, limit);
        }
        return text;
    }

    public void size(String field, long actual, Limit limit) {
        if (actual > limit.highest()) {
            long allowed = replica.ask(view -> view.limit(limit));
            throw Rejected.invalid(field, allowed, actual, actual + " is out of bounds, the limit is " + allowed);
        }
    }
}
