package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.Header;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.request.Stamp;
import dev.holdfast.server.watch.KeyEvents;
import io.netty.channel.EventLoop;

/** The node as the calls and streams of gRPC use it: what it can be asked, and the header of its answers. */
final class GrpcNode {
    private final NodeCore node;
    private final long cluster;
    private final Watches.Timing watchTiming;
    private final Failures failures;
    private final CommandCalls calls;
    private final Commands commands;
    private final Unread unread;

    GrpcNode(NodeCore node, Watches.Timing watchTiming, long mostUnread) {
        this.unread = new Unread(mostUnread);
        this.node = node;
        this.cluster = node.clusterNumber();
        this.watchTiming = watchTiming;
        this.failures = new Failures(node.neighbours(), node::failed);
        this.calls = new CommandCalls(new RequestReader(new Bounds(node.replica())));
        this.commands = new Commands(node);
    }

    NodeCore core() {
        return node;
    }

    Failures failures() {
        return failures;
    }

    /** How each command is carried. */
    CommandCalls calls() {
        return calls;
    }

    Commands commands() {
        return commands;
    }

    /** What clients have not read. */
    Unread unread() {
        return unread;
    }

    /** The watches of a stream. */
    Watches watches(KeyEvents events, Caller caller, EventLoop loop, Watches.Output output) {
        return new Watches(node.watches(), node.replica(), events, watchTiming, caller, loop, output);
    }

    /** The header of what an entry answered. */
    Header header(Stamp stamp) {
        return header(stamp, node.replica().epoch());
    }

    Header header(Stamp stamp, long epoch) {
        return Header.newBuilder()
                .setClusterId(cluster)
                .setMemberId(node.self().id().number())
                .setRevision(stamp.revision())
                .setRaftTerm(stamp.term())
                .setClusterTimeMs(stamp.now())
                .setLeader(node.neighbours().leaderAddress().orElse(""))
                .setEpoch(epoch)
                .build();
    }

    /** The header of what no entry answered: the state as this node has it now. */
    Header header() {
        return header(node.replica().stamp());
    }
}
