package dev.holdfast.client.watch;

import dev.holdfast.client.api.Metadata;
import dev.holdfast.client.api.Slots;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.protocol.v1.EndReason;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.KeyValue;
import dev.holdfast.protocol.v1.Mode;
import java.time.Instant;
import java.util.Optional;

/** Reads events as they come from the cluster. */
public final class EventMapper {
    private EventMapper() {}

    public static WatchEvent read(Event event, Cursor cursor) {
        KeyValue value = event.getKv();
        return new WatchEvent(
                kind(event),
                value.getKey(),
                value.getHolderId(),
                value.getFencingToken(),
                value.getMode() == Mode.SHARED,
                value.getCount(),
                Slots.ofRanges(value.getSlotsList()),
                value.getPurpose(),
                Metadata.of(value.getMetadata().toByteArray()),
                event.getRevision(),
                reason(event.getReason()),
                event.getDetail(),
                Instant.ofEpochMilli(event.getWallMs()),
                event.hasPrevKv() ? Optional.of(previous(event.getPrevKv())) : Optional.empty(),
                cursor.toString());
    }

    private static WatchEvent.Previous previous(KeyValue value) {
        return new WatchEvent.Previous(
                value.getFencingToken(),
                value.getMode() == Mode.SHARED,
                value.getPurpose(),
                Metadata.of(value.getMetadata().toByteArray()));
    }

    private static WatchEvent.Kind kind(Event event) {
        return switch (event.getWhat()) {
            case GRANTED -> WatchEvent.Kind.GRANTED;
            case ENDED -> WatchEvent.Kind.ENDED;
            case MODE_CHANGED -> WatchEvent.Kind.MODE_CHANGED;
            case DESCRIBED -> WatchEvent.Kind.DESCRIBED;
            case QUEUED -> WatchEvent.Kind.QUEUED;
            case LEFT -> WatchEvent.Kind.LEFT;
            case DELAY_ENDED -> WatchEvent.Kind.DELAY_ENDED;
            case UNKNOWN, UNRECOGNIZED -> WatchEvent.Kind.OTHER;
        };
    }

    private static Optional<WatchEvent.Reason> reason(EndReason reason) {
        return switch (reason) {
            case END_REASON_UNKNOWN -> Optional.empty();
            case RELEASED -> Optional.of(WatchEvent.Reason.RELEASED);
            case END_CANCELLED -> Optional.of(WatchEvent.Reason.CANCELLED);
            case WAIT_TIMEOUT -> Optional.of(WatchEvent.Reason.WAIT_TIMEOUT);
            case EXPIRED -> Optional.of(WatchEvent.Reason.EXPIRED);
            case REVOKED -> Optional.of(WatchEvent.Reason.REVOKED);
            case MAX_HOLD -> Optional.of(WatchEvent.Reason.MAX_HOLD);
            case FORCED -> Optional.of(WatchEvent.Reason.FORCED);
            case RESTORED -> Optional.of(WatchEvent.Reason.RESTORED);
            case UPGRADED_GRANT_ENDED -> Optional.of(WatchEvent.Reason.UPGRADED_GRANT_ENDED);
            case UNRECOGNIZED -> Optional.of(WatchEvent.Reason.OTHER);
        };
    }
}
