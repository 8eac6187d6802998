package dev.holdfast.server.operation;

import dev.holdfast.server.read.Reads;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.watch.WatchHub;

/** The parts of a node that its edge translates to. */
public record NodeParts(
        Requests requests,
        Reads reads,
        LockReplica replica,
        LeaseListeners listeners,
        WatchHub watches,
        NodeFacts facts) {}
