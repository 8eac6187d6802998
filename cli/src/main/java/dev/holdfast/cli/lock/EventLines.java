package dev.holdfast.cli.lock;

import com.google.protobuf.ByteString;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.core.FencingToken;
import dev.holdfast.protocol.v1.EndReason;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.KeyValue;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.Mode;
import java.util.Locale;

/** Events as histories and watches show them, the same in both. */
final class EventLines {
    private EventLines() {}

    /** What happened, in words: {@code granted exclusive}, {@code ended by expired}. */
    static String what(Event event) {
        return switch (event.getWhat()) {
            case GRANTED -> "granted " + Words.lower(event.getKv().getMode());
            case ENDED -> "ended: " + reason(event.getReason());
            case MODE_CHANGED -> "now " + Words.lower(event.getKv().getMode());
            case DESCRIBED -> "described anew";
            case QUEUED -> "queued";
            case LEFT -> "left the queue: " + reason(event.getReason());
            case DELAY_ENDED -> "lock-delay ended";
            default -> event.getType().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String reason(EndReason reason) {
        return reason == EndReason.END_CANCELLED ? "cancelled" : Words.lower(reason);
    }

    /** The purpose of a grant, or who took it and why. */
    static String note(Event event) {
        return event.getDetail().isEmpty() ? event.getKv().getPurpose() : event.getDetail();
    }

    /** An event of the client in the protocol's form. What the client does not tell, such as cluster time, is 0. */
    static Event message(WatchEvent event) {
        Event.Builder message = Event.newBuilder()
                .setType(type(event.kind()))
                .setWhat(
                        event.kind() == WatchEvent.Kind.OTHER
                                ? Event.What.UNKNOWN
                                : Event.What.valueOf(event.kind().name()))
                .setRevision(event.revision())
                .setWallMs(event.at().toEpochMilli())
                .setDetail(event.detail())
                .setKv(KeyValue.newBuilder()
                        .setKey(event.key())
                        .setHolderId(event.holder())
                        .setFencingToken(event.token())
                        .setCreateRevision(event.token() & FencingToken.MAX_REVISION)
                        .setModRevision(event.revision())
                        .setMode(event.shared() ? Mode.SHARED : Mode.EXCLUSIVE)
                        .setPurpose(event.purpose())
                        .setMetadata(ByteString.copyFrom(event.metadata().bytes())));
        if (event.permits() > 0) {
            putPermits(message.getKvBuilder(), event);
        }
        event.reason().ifPresent(reason -> message.setReason(reason(reason)));
        return message.build();
    }

    private static void putPermits(KeyValue.Builder value, WatchEvent event) {
        value.setKind(Kind.PERMITS).setCount(event.permits());
        for (int range = 0; range < event.slots().ranges(); range++) {
            value.addSlots(event.slots().first(range)).addSlots(event.slots().last(range));
        }
        if (!event.slots().isEmpty()) {
            value.setSlot(event.slots().get(0));
        }
    }

    private static Event.Type type(WatchEvent.Kind kind) {
        return switch (kind) {
            case GRANTED, MODE_CHANGED, DESCRIBED -> Event.Type.PUT;
            case ENDED -> Event.Type.DELETE;
            default -> Event.Type.OTHER;
        };
    }

    private static EndReason reason(WatchEvent.Reason reason) {
        return switch (reason) {
            case CANCELLED -> EndReason.END_CANCELLED;
            case OTHER -> EndReason.END_REASON_UNKNOWN;
            default -> EndReason.valueOf(reason.name());
        };
    }
}
