package dev.holdfast.server.edge;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.event.Event;
import dev.holdfast.protocol.v1.KeyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/** Writes events as messages: one for each key of interest, all of the same revision. */
public final class EventMessages {
    private final LongPredicate mayKnowLease;

    /**
     * Writes events for one reader.
     *
     * @param mayKnowLease whether the reader may see the id of a lease, which is a secret of its owner
     */
    public EventMessages(LongPredicate mayKnowLease) {
        this.mayKnowLease = mayKnowLease;
    }

    /** For readers who may see no lease id. */
    public static EventMessages withoutLeases() {
        return new EventMessages(lease -> false);
    }

    /** Whether it is neither a grant, nor a change or the end of one. */
    public static boolean isOther(Event event) {
        return event instanceof Event.Queued || event instanceof Event.Left || event instanceof Event.DelayEnded;
    }

    public List<dev.holdfast.protocol.v1.Event> of(Event event, Predicate<Hold> wanted, PreviousValues previous) {
        List<dev.holdfast.protocol.v1.Event> messages = new ArrayList<>(1);
        if (event instanceof Event.OfLocks ofLocks) {
            for (Hold hold : ofLocks.holds()) {
                if (wanted.test(hold)) {
                    messages.add(message(ofLocks, hold, previous));
                }
            }
        }
        return messages;
    }

    private dev.holdfast.protocol.v1.Event message(Event.OfLocks event, Hold hold, PreviousValues previous) {
        dev.holdfast.protocol.v1.Event.Builder message = dev.holdfast.protocol.v1.Event.newBuilder()
                .setRevision(event.revision())
                .setAtMs(event.at())
                .setWallMs(event.wallMillis());
        KeyValue.Builder value = value(event, hold);
        if (event instanceof Event.Granted granted) {
            message.setType(dev.holdfast.protocol.v1.Event.Type.PUT)
                    .setWhat(dev.holdfast.protocol.v1.Event.What.GRANTED);
            held(value, granted.token(), event)
                    .setPurpose(granted.purpose())
                    .setMetadata(ProtoMapper.bytes(granted.metadata()));
        } else if (event instanceof Event.ModeChanged changed) {
            message.setType(dev.holdfast.protocol.v1.Event.Type.PUT)
                    .setWhat(dev.holdfast.protocol.v1.Event.What.MODE_CHANGED);
            held(value, changed.token(), event);
            previous.of(changed).ifPresent(before -> {
                // What a grant carries does not change with its mode.
                value.setPurpose(before.purpose()).setMetadata(ProtoMapper.bytes(before.metadata()));
                message.setPrevKv(before.addTo(value(event, hold), hold));
            });
        } else if (event instanceof Event.Described described) {
            message.setType(dev.holdfast.protocol.v1.Event.Type.PUT)
                    .setWhat(dev.holdfast.protocol.v1.Event.What.DESCRIBED);
            held(value, described.token(), event).setMetadata(ProtoMapper.bytes(described.metadata()));
            previous.of(described).ifPresent(before -> {
                value.setPurpose(before.purpose());
                message.setPrevKv(before.addTo(value(event, hold), hold));
            });
        } else if (event instanceof Event.Released released) {
            message.setType(dev.holdfast.protocol.v1.Event.Type.DELETE)
                    .setWhat(dev.holdfast.protocol.v1.Event.What.ENDED)
                    .setReason(ProtoMapper.reason(released.reason()))
                    .setDetail(released.detail());
            held(value, released.token(), event);
            previous.of(released).ifPresent(before -> message.setPrevKv(before.addTo(value(event, hold), hold)));
        } else if (event instanceof Event.Left left) {
            message.setType(dev.holdfast.protocol.v1.Event.Type.OTHER)
                    .setWhat(dev.holdfast.protocol.v1.Event.What.LEFT)
                    .setReason(ProtoMapper.reason(left.reason()));
        } else if (event instanceof Event.Queued) {
            message.setType(dev.holdfast.protocol.v1.Event.Type.OTHER)
                    .setWhat(dev.holdfast.protocol.v1.Event.What.QUEUED);
        } else {
            message.setType(dev.holdfast.protocol.v1.Event.Type.OTHER)
                    .setWhat(dev.holdfast.protocol.v1.Event.What.DELAY_ENDED);
        }
        return message.setKv(value).build();
    }

    private KeyValue.Builder value(Event.OfLocks event, Hold hold) {
        long lease = event.party().lease().value();
        return KeyValue.newBuilder()
                .setKey(hold.key().toString())
                .setHolderId(event.party().clientId())
                .setLeaseId(mayKnowLease.test(lease) ? lease : 0)
                .setModRevision(event.revision())
                .setKind(ProtoMapper.kind(hold))
                .setMode(ProtoMapper.mode(hold.mode()))
                .setSlot(ProtoMapper.slot(hold));
    }

    private static KeyValue.Builder held(KeyValue.Builder value, FencingToken token, Event.OfLocks event) {
        return value.setFencingToken(token.value())
                .setCreateRevision(token.revision())
                .setModRevision(event.revision());
    }
}
