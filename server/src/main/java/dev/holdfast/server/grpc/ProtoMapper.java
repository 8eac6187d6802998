package dev.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.Permits;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.Header;
import dev.holdfast.protocol.v1.KeyValue;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.server.operation.WatchUpdate;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.watch.KeyEvent;
import dev.holdfast.server.watch.WatchSpec;
import java.util.ArrayList;
import java.util.List;

/** Says in the protocol's words what the machine says in its own. */
final class ProtoMapper {
    private ProtoMapper() {}

    static List<dev.holdfast.protocol.v1.Hold> holds(List<Hold> holds) {
        return holds.stream().map(ProtoMapper::hold).toList();
    }

    static dev.holdfast.protocol.v1.Hold hold(Hold hold) {
        return dev.holdfast.protocol.v1.Hold.newBuilder()
                .setKey(hold.key().toString())
                .setKind(kind(hold))
                .setMode(mode(hold.mode()))
                .setSlot(slot(hold))
                .setCount(hold.permits().count())
                .addAllSlots(slots(hold))
                .build();
    }

    static int slot(Hold hold) {
        return hold.permits().areHeld() ? hold.permits().first(0) : 0;
    }

    /** The first and the last slot of each range. */
    private static List<Integer> slots(Hold hold) {
        Permits permits = hold.permits();
        List<Integer> bounds = new ArrayList<>(2 * permits.rangeCount());
        for (int range = 0; range < permits.rangeCount(); range++) {
            bounds.add(permits.first(range));
            bounds.add(permits.last(range));
        }
        return bounds;
    }

    static Kind kind(Hold hold) {
        return switch (hold.kind()) {
            case PLAIN -> Kind.PLAIN;
            case SUBTREE -> Kind.SUBTREE;
            case PERMITS -> Kind.PERMITS;
        };
    }

    static dev.holdfast.protocol.v1.Mode mode(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> dev.holdfast.protocol.v1.Mode.EXCLUSIVE;
            case SHARED -> dev.holdfast.protocol.v1.Mode.SHARED;
        };
    }

    static dev.holdfast.protocol.v1.EndReason reason(EndReason reason) {
        return switch (reason) {
            case RELEASED -> dev.holdfast.protocol.v1.EndReason.RELEASED;
            case CANCELLED -> dev.holdfast.protocol.v1.EndReason.END_CANCELLED;
            case TIMEOUT -> dev.holdfast.protocol.v1.EndReason.WAIT_TIMEOUT;
            case LEASE_EXPIRED -> dev.holdfast.protocol.v1.EndReason.EXPIRED;
            case LEASE_REVOKED -> dev.holdfast.protocol.v1.EndReason.REVOKED;
            case MAX_HOLD -> dev.holdfast.protocol.v1.EndReason.MAX_HOLD;
            case FORCED -> dev.holdfast.protocol.v1.EndReason.FORCED;
            case RESTORED -> dev.holdfast.protocol.v1.EndReason.RESTORED;
            case GRANT_ENDED -> dev.holdfast.protocol.v1.EndReason.UPGRADED_GRANT_ENDED;
        };
    }

    /** Metadata is never changed by anybody, so its bytes are shared. */
    static ByteString bytes(Metadata metadata) {
        return UnsafeByteOperations.unsafeWrap(metadata.bytes());
    }

    /** One key's event. */
    static Event event(KeyEvent event) {
        Event.Builder message = Event.newBuilder()
                .setType(
                        switch (event.what().type()) {
                            case PUT -> Event.Type.PUT;
                            case DELETE -> Event.Type.DELETE;
                            case OTHER -> Event.Type.OTHER;
                        })
                .setWhat(
                        switch (event.what()) {
                            case GRANTED -> Event.What.GRANTED;
                            case MODE_CHANGED -> Event.What.MODE_CHANGED;
                            case DESCRIBED -> Event.What.DESCRIBED;
                            case ENDED -> Event.What.ENDED;
                            case QUEUED -> Event.What.QUEUED;
                            case LEFT -> Event.What.LEFT;
                            case DELAY_ENDED -> Event.What.DELAY_ENDED;
                        })
                .setRevision(event.revision())
                .setAtMs(event.atMillis())
                .setWallMs(event.wallMillis())
                .setKv(state(event.state()))
                .setDetail(event.detail());
        if (event.reason() != null) {
            message.setReason(reason(event.reason()));
        }
        if (event.previous() != null) {
            message.setPrevKv(state(event.previous()));
        }
        return message.build();
    }

    private static KeyValue.Builder state(KeyEvent.State state) {
        Hold hold = state.hold();
        KeyValue.Builder value = KeyValue.newBuilder()
                .setKey(hold.key().toString())
                .setHolderId(state.holder())
                .setLeaseId(state.lease())
                .setModRevision(state.modRevision())
                .setKind(kind(hold))
                .setMode(mode(hold.mode()))
                .setSlot(slot(hold))
                .setCount(hold.permits().count())
                .addAllSlots(slots(hold))
                .setPurpose(state.purpose())
                .setMetadata(bytes(state.metadata()));
        FencingToken token = state.token();
        return token == null ? value : value.setFencingToken(token.value()).setCreateRevision(token.revision());
    }

    /** What the reader of a watch is told. */
    static WatchResponse watch(WatchUpdate update, GrpcNode edge) {
        Header header = edge.header(update.stamp());
        long delivered = update.resumeRevision() > 0
                ? update.resumeRevision() - 1
                : update.stamp().revision();
        WatchResponse.Builder response = WatchResponse.newBuilder()
                .setHeader(header)
                .setWatchId(update.watchId())
                // Refused is created and canceled at once: canceled alone would be about the watch that has this id.
                .setCreated(update.kind() == WatchUpdate.Kind.OPENED || update.kind() == WatchUpdate.Kind.REFUSED)
                .setCanceled(update.kind() == WatchUpdate.Kind.ENDED || update.kind() == WatchUpdate.Kind.REFUSED)
                .setResumeRevision(update.resumeRevision())
                .setCursor(new Cursor(header.getEpoch(), delivered).toString())
                .setCompactRevision(update.oldestRevision());
        update.events().forEach(event -> response.addEvents(event(event)));
        if (update.rejection() != null) {
            response.setError(GrpcErrors.error(update.rejection()));
        }
        return response.build();
    }

    /** What a client asks to watch. */
    static Watches.Options watch(WatchRequest request) {
        return new Watches.Options(
                request.getWatchId(),
                request.getCursor().isEmpty() ? revisionOf(request) : cursorOf(request),
                request.getAllEvents(),
                request.getPrevKv(),
                request.getProgressNotify());
    }

    private static WatchSpec revisionOf(WatchRequest request) {
        return new WatchSpec(
                request.getKey(),
                request.getPrefix(),
                request.getStartRevision(),
                request.hasStartEpoch() ? request.getStartEpoch() : WatchSpec.NO_EPOCH);
    }

    /** A cursor that cannot be read is refused where the watch is opened, as all that is wrong with it. */
    private static WatchSpec cursorOf(WatchRequest request) {
        return Cursor.parse(request.getCursor())
                .map(cursor -> WatchSpec.behind(request.getKey(), request.getPrefix(), cursor))
                .orElseGet(() -> new WatchSpec(request.getKey(), request.getPrefix(), WatchSpec.UNREADABLE, 0));
    }
}
