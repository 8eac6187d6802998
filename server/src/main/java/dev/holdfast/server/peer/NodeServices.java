package dev.holdfast.server.peer;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.server.cluster.MemberChanges;
import dev.holdfast.server.cluster.Neighbours;
import dev.holdfast.server.peer.client.PeerClients;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Requests;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The parts of a running node that its peers and operators reach.
 *
 * @param cluster the cluster's id
 * @param local requests that this node must serve as the leader
 * @param requests requests that go to whoever leads
 * @param executor one thread, for what is written to streams
 */
public record NodeServices(
        Member self,
        String cluster,
        ReplicatedLog log,
        LockReplica replica,
        Batcher local,
        Requests requests,
        Reads reads,
        Neighbours neighbours,
        MemberChanges changes,
        PeerClients clients,
        ScheduledExecutorService executor) {

    /** The newest feature level this version can apply. */
    public static final int FEATURE_LEVEL = 1;

    /** The members as this node's log knows them. */
    public List<Member> members() {
        return log.status().members();
    }
}
