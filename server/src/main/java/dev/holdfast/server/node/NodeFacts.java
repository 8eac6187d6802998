package dev.holdfast.server.node;

import dev.holdfast.server.request.Reach;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What clients are told of the node that answers, and of the cluster around it.
 *
 * @param leads whether this node leads now
 * @param members client addresses of all nodes that serve
 */
public record NodeFacts(
        long clusterId, long memberId, Reach reach, BooleanSupplier leads, Supplier<List<String>> members) {}
