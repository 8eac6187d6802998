package dev.holdfast.server.node;

import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.PeerGrpc;
import io.grpc.Channel;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The other nodes, each reached by its client address.
 *
 * @param streams for streams that live as long as both nodes
 * @param questions for questions that are answered within a second or two
 * @param admin for what is passed on to the leader, with the time it may take
 */
public record Peers(
        Function<String, PeerGrpc.PeerStub> streams,
        Function<String, PeerGrpc.PeerFutureStub> questions,
        BiFunction<String, Duration, AdminGrpc.AdminStub> admin) {

    /** Of a node that is alone. */
    public static final Peers NONE = over(address -> {
        throw new IllegalStateException("this node is alone, and was to ask " + address);
    });

    /** Peers at the other end of channels that see to time limits themselves. */
    public static Peers over(Function<String, Channel> channels) {
        return new Peers(
                address -> PeerGrpc.newStub(channels.apply(address)),
                address -> PeerGrpc.newFutureStub(channels.apply(address)),
                (address, timeout) -> AdminGrpc.newStub(channels.apply(address)));
    }
}
