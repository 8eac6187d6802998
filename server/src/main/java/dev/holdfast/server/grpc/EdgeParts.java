package dev.holdfast.server.grpc;

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
