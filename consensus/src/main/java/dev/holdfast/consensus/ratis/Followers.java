package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/** What a leader knows of the other members. */
final class Followers {
    private static final int ATTEMPTS = 3;

    private Followers() {}

    /**
     * How one member is doing.
     *
     * @param matched how far its log is known to agree
     * @param silentMillis how long ago it answered last
     */
    record Progress(long matched, long silentMillis) {}

    /** By member; empty if this node does not lead. */
    static Map<NodeId, Progress> of(RaftServer.Division division) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // The engine gives ids and indices apart: they belong together if the ids did not change meanwhile.
            List<ServerRpcProto> before = infos(division);
            long[] matched = division.getInfo().getFollowerMatchIndices();
            if (matched == null || before.isEmpty()) {
                return Map.of();
            }
            if (matched.length == before.size() && ids(before).equals(ids(infos(division)))) {
                Map<NodeId, Progress> followers = new TreeMap<>();
                for (int i = 0; i < matched.length; i++) {
                    ServerRpcProto info = before.get(i);
                    followers.put(
                            Peers.id(RaftPeerId.valueOf(info.getId().getId())),
                            new Progress(matched[i], info.getLastRpcElapsedTimeMs()));
                }
                return followers;
            }
        }
        return Map.of();
    }

    /** The lowest commit index any member is known to have; -1 as long as one is not known. */
    static long lowestCommit(RaftServer.Division division) {
        RaftConfiguration members = division.getRaftConf();
        int expected = members.getAllPeers(RaftPeerRole.FOLLOWER).size()
                + members.getAllPeers(RaftPeerRole.LISTENER).size();
        Collection<CommitInfoProto> known = division.getCommitInfos();
        return known.size() < expected
                ? -1
                : known.stream()
                        .mapToLong(CommitInfoProto::getCommitIndex)
                        .min()
                        .orElse(-1);
    }

    private static List<ServerRpcProto> infos(RaftServer.Division division) {
        try {
            return division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        } catch (IllegalStateException e) {
            // The engine asserts that the term is still the leader's, and a new one may begin at any time.
            return List.of();
        }
    }

    private static List<Object> ids(List<ServerRpcProto> infos) {
        return infos.stream().<Object>map(info -> info.getId().getId()).toList();
    }
}
