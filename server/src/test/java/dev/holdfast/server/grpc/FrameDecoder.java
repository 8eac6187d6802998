package dev.holdfast.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.CommandCheck;
import dev.holdfast.server.request.Rejected;
import java.util.List;
import java.util.Optional;

/** Reads bytes as a session does: what is not refused is a command that the log can carry. */
public final class FrameDecoder {
    private static final Caller CALLER = Caller.OF_THIS_PROCESS;

    private FrameDecoder() {}

    public static void frame(byte[] bytes, Bounds bounds) {
        ClientFrame frame;
        try {
            frame = ClientFrame.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return; // refused before anything looks at it
        }
        RequestReader reader = new RequestReader(bounds);
        CommandCheck check = new CommandCheck(bounds);
        for (ClientMessage message : frame.getMessagesList()) {
            try {
                command(reader, message).ifPresent(command -> {
                    check.require(command, CommandCalls.asked(0, false, CALLER));
                    carry(command);
                });
            } catch (Rejected refused) {
                if (refused.rejection().subject().isEmpty()) {
                    throw new AssertionError("a refusal that names nothing");
                }
            }
        }
    }

    private static Optional<Command> command(RequestReader reader, ClientMessage message) {
        return switch (message.getBodyCase()) {
            case LEASE_GRANT -> Optional.of(reader.grantLease(message.getLeaseGrant(), CALLER, "client"));
            case LEASE_REVOKE -> Optional.of(reader.revokeLease(message.getLeaseRevoke(), CALLER));
            case LEASE_EXTEND -> Optional.of(reader.extendLease(message.getLeaseExtend(), CALLER));
            case ACQUIRE -> Optional.of(reader.acquire(message.getAcquire(), CALLER));
            case UPGRADE -> Optional.of(reader.upgrade(message.getUpgrade(), CALLER));
            case DOWNGRADE -> Optional.of(reader.downgrade(message.getDowngrade(), CALLER));
            case RELEASE -> Optional.of(reader.release(message.getRelease(), CALLER));
            case CANCEL -> Optional.of(reader.cancel(message.getCancel(), CALLER));
            case DESCRIBE -> Optional.of(reader.describe(message.getDescribe(), CALLER));
            case HELLO, ATTACH, RENEW, WATCH, BODY_NOT_SET -> Optional.empty();
        };
    }

    private static void carry(Command command) {
        byte[] entry = CommandCodec.encode(new Batch(1, 0, 0, new long[0], List.of(command)));
        Batch read = CommandCodec.decode(entry);
        if (!read.commands().equals(List.of(command))) {
            throw new AssertionError("the log carries another command than " + command);
        }
    }
}
