package dev.holdfast.server.grpc;

import dev.holdfast.server.access.Caller;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.watch.KeyEvents;
import io.netty.channel.EventLoop;

/** What the calls and streams of one edge share. */
record EdgeParts(
        NodeCore node,
        Headers headers,
        Failures failures,
        CommandCalls calls,
        Commands commands,
        Watches.Timing watchTiming) {

    /** The watches of a stream. */
    Watches watches(KeyEvents events, Caller caller, EventLoop loop, Watches.Output output) {
        return new Watches(node.watches(), node.replica(), events, watchTiming, caller, loop, output);
    }

    static EdgeParts of(NodeCore node, Watches.Timing watchTiming) {
        return new EdgeParts(
                node,
                new Headers(node),
                new Failures(node.neighbours()),
                new CommandCalls(new RequestReader(new Bounds(node.replica()))),
                new Commands(node),
                watchTiming);
    }
}
