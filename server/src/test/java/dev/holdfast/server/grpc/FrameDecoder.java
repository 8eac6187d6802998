package dev.holdfast.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Bounds;
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
        Commands commands = new Commands(bounds);
        for (ClientMessage message : frame.getMessagesList()) {
            try {
                command(commands, message).ifPresent(FrameDecoder::carry);
            } catch (Rejected refused) {
                if (refused.rejection().subject().isEmpty()) {
                    throw new AssertionError("a refusal that names nothing");
                }
            }
        }
    }

    private static Optional<Command> command(Commands commands, ClientMessage message) {
        return switch (message.getBodyCase()) {
            case LEASE_GRANT -> Optional.of(commands.grantLease(message.getLeaseGrant(), CALLER, "client"));
            case LEASE_REVOKE -> Optional.of(commands.revokeLease(message.getLeaseRevoke(), CALLER));
            case LEASE_EXTEND -> Optional.of(commands.extendLease(message.getLeaseExtend(), CALLER));
            case ACQUIRE -> Optional.of(commands.acquire(message.getAcquire(), CALLER));
            case UPGRADE -> Optional.of(commands.upgrade(message.getUpgrade(), CALLER));
            case DOWNGRADE -> Optional.of(commands.downgrade(message.getDowngrade(), CALLER));
            case RELEASE -> Optional.of(commands.release(message.getRelease(), CALLER));
            case CANCEL -> Optional.of(commands.cancel(message.getCancel(), CALLER));
            case DESCRIBE -> Optional.of(commands.describe(message.getDescribe(), CALLER));
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
