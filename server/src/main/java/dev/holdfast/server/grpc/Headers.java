package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.Header;
import dev.holdfast.server.node.NodeFacts;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Stamp;

/** Makes the header of every answer. */
public final class Headers {
    private final NodeFacts facts;
    private final LockReplica replica;

    public Headers(NodeFacts facts, LockReplica replica) {
        this.facts = facts;
        this.replica = replica;
    }

    public Header of(Stamp stamp) {
        return of(stamp, replica.epoch());
    }

    public Header of(Stamp stamp, long epoch) {
        return Header.newBuilder()
                .setClusterId(facts.clusterId())
                .setMemberId(facts.memberId())
                .setRevision(stamp.revision())
                .setRaftTerm(stamp.term())
                .setClusterTimeMs(stamp.now())
                .setLeader(facts.reach().leaderAddress().orElse(""))
                .setEpoch(epoch)
                .build();
    }

    /** For what no entry answered: the state as this node has it now. */
    public Header present() {
        return of(replica.stamp());
    }
}
