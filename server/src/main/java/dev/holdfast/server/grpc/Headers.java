package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.Header;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.request.Stamp;

/** Makes the header of every answer. */
public final class Headers {
    private final NodeCore node;
    private final long cluster;

    public Headers(NodeCore node) {
        this.node = node;
        this.cluster = node.clusterNumber();
    }

    public Header of(Stamp stamp) {
        return of(stamp, node.replica().epoch());
    }

    public Header of(Stamp stamp, long epoch) {
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

    /** For what no entry answered: the state as this node has it now. */
    public Header present() {
        return of(node.replica().stamp());
    }
}
