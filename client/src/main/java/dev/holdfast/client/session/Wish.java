package dev.holdfast.client.session;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.Mode;
import java.util.List;

/**
 * What is asked for.
 *
 * @param waitNanos how long to wait: 0 not at all, {@link #FOREVER} without end
 * @param leaseMillis for a lease of its own; 0 to use the session's
 * @param maxHoldMillis 0 for no such limit
 * @param actor who waits, for deadlock detection; 0 for nobody
 */
public record Wish(
        List<Item> items,
        long waitNanos,
        long leaseMillis,
        long lockDelayMillis,
        long maxHoldMillis,
        String purpose,
        ByteString metadata,
        long actor) {

    public static final long FOREVER = -1;

    public Wish {
        items = List.copyOf(items);
    }

    public boolean waits() {
        return waitNanos != 0;
    }

    void write(LockRequest.Builder request) {
        Item first = items.get(0);
        if (items.size() == 1 && first.getKind() == Kind.PLAIN) {
            request.setName(first.getKey()).setMode(first.getMode());
        } else {
            request.addAllItems(items);
        }
        request.setMaxHoldMs(maxHoldMillis)
                .setPurpose(purpose)
                .setMetadata(metadata)
                .setActor(actor);
    }

    boolean isShared() {
        return items.stream().allMatch(item -> item.getMode() == Mode.SHARED);
    }
}
