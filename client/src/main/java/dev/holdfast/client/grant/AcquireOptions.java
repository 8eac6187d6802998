package dev.holdfast.client.grant;

import com.google.protobuf.ByteString;
import dev.holdfast.client.lease.LeaseRequest;
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
public record AcquireOptions(
        List<Item> items,
        long waitNanos,
        long leaseMillis,
        long lockDelayMillis,
        long maxHoldMillis,
        String purpose,
        ByteString metadata,
        long actor) {

    public static final long FOREVER = LeaseRequest.FOREVER;

    public AcquireOptions {
        items = List.copyOf(items);
    }

    /** One lock, exclusive, however long it takes. */
    public static AcquireOptions exclusive(String key, ByteString metadata, long actor) {
        Item item = Item.newBuilder().setKey(key).build();
        return new AcquireOptions(List.of(item), FOREVER, 0, 0, 0, "", metadata, actor);
    }

    public AcquireOptions shared() {
        List<Item> shared = items.stream()
                .map(item -> item.toBuilder().setMode(Mode.SHARED).build())
                .toList();
        return new AcquireOptions(
                shared, waitNanos, leaseMillis, lockDelayMillis, maxHoldMillis, purpose, metadata, actor);
    }

    public AcquireOptions withWait(long nanos) {
        return new AcquireOptions(items, nanos, leaseMillis, lockDelayMillis, maxHoldMillis, purpose, metadata, actor);
    }

    public AcquireOptions withMaxHold(long millis) {
        return new AcquireOptions(items, waitNanos, leaseMillis, lockDelayMillis, millis, purpose, metadata, actor);
    }

    public AcquireOptions withPurpose(String text) {
        return new AcquireOptions(items, waitNanos, leaseMillis, lockDelayMillis, maxHoldMillis, text, metadata, actor);
    }

    List<String> keys() {
        return items.stream().map(Item::getKey).toList();
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
