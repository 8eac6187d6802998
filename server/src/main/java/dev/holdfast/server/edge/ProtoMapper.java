package dev.holdfast.server.edge;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.protocol.v1.Kind;
import java.util.List;

/** Says in the protocol's words what the machine says in its own. */
public final class ProtoMapper {
    private ProtoMapper() {}

    public static List<dev.holdfast.protocol.v1.Hold> holds(List<Hold> holds) {
        return holds.stream().map(ProtoMapper::hold).toList();
    }

    public static dev.holdfast.protocol.v1.Hold hold(Hold hold) {
        return dev.holdfast.protocol.v1.Hold.newBuilder()
                .setKey(hold.key().toString())
                .setKind(kind(hold))
                .setMode(mode(hold.mode()))
                .setSlot(slot(hold))
                .build();
    }

    public static int slot(Hold hold) {
        return Math.max(hold.slot(), 0);
    }

    public static Kind kind(Hold hold) {
        return switch (hold.kind()) {
            case PLAIN -> Kind.PLAIN;
            case SUBTREE -> Kind.SUBTREE;
            case PERMITS -> Kind.PERMITS;
        };
    }

    public static dev.holdfast.protocol.v1.Mode mode(Mode mode) {
        return switch (mode) {
            case EXCLUSIVE -> dev.holdfast.protocol.v1.Mode.EXCLUSIVE;
            case SHARED -> dev.holdfast.protocol.v1.Mode.SHARED;
        };
    }

    public static dev.holdfast.protocol.v1.EndReason reason(EndReason reason) {
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
    public static ByteString bytes(Metadata metadata) {
        return UnsafeByteOperations.unsafeWrap(metadata.bytes());
    }
}
