package dev.holdfast.server.grpc;

import dev.holdfast.server.edge.Bounds;
import dev.holdfast.server.edge.Endings;
import dev.holdfast.server.edge.Failures;
import dev.holdfast.server.edge.Headers;
import dev.holdfast.server.edge.Locking;
import dev.holdfast.server.edge.NodeParts;
import dev.holdfast.server.edge.WatchTiming;

/** What the calls and streams of one edge share. */
record EdgeParts(
        NodeParts node,
        Headers headers,
        Failures failures,
        Commands commands,
        Locking locking,
        Endings endings,
        Sessions sessions,
        WatchTiming watchTiming) {

    static EdgeParts of(NodeParts node, WatchTiming watchTiming) {
        return new EdgeParts(
                node,
                new Headers(node.facts(), node.replica()),
                new Failures(node.facts().reach()),
                new Commands(new Bounds(node.replica())),
                new Locking(node),
                new Endings(node.replica()),
                new Sessions(),
                watchTiming);
    }
}
