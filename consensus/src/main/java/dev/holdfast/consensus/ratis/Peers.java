package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Members as the engine knows them.
 *
 * <p>The engine has no witnesses: <b>a voter of priority 0 is one</b>. All full voters share priority 1, so
 * none is preferred over another, each may be handed leadership, and a witness loses an election to any of
 * them that is as far along.
 */
final class Peers {
    private static final int FULL = 1;
    private static final int WITNESS = 0;

    private Peers() {}

    static RaftPeerId id(NodeId id) {
        return RaftPeerId.valueOf(id.toString());
    }

    static NodeId id(RaftPeerId id) {
        return NodeId.parse(id.toString());
    }

    static RaftPeer peer(Member member) {
        return RaftPeer.newBuilder()
                .setId(id(member.id()))
                .setAddress(member.peerAddress())
                .setClientAddress(member.clientAddress())
                .setPriority(member.part() == Part.WITNESS ? WITNESS : FULL)
                .setStartupRole(member.votes() ? RaftPeerRole.FOLLOWER : RaftPeerRole.LISTENER)
                .build();
    }

    /** Those of the members that vote, or those that do not. */
    static List<RaftPeer> peers(List<Member> members, boolean voting) {
        return members.stream()
                .filter(member -> member.votes() == voting)
                .map(Peers::peer)
                .toList();
    }

    /** The members of a configuration, voters first. */
    static List<Member> members(RaftConfiguration configuration) {
        List<Member> members = new ArrayList<>();
        configuration.getCurrentPeers(RaftPeerRole.FOLLOWER).forEach(peer -> members.add(member(peer, true)));
        configuration.getCurrentPeers(RaftPeerRole.LISTENER).forEach(peer -> members.add(member(peer, false)));
        members.sort((a, b) -> a.votes() == b.votes() ? a.id().compareTo(b.id()) : a.votes() ? -1 : 1);
        return members;
    }

    /** Whether a committed configuration leaves a node out for good, not only until the next step of a change. */
    static boolean leavesOut(RaftConfigurationProto configuration, RaftPeerId id) {
        return configuration.getOldPeersCount() == 0
                && configuration.getOldListenersCount() == 0
                && configuration.getPeersList().stream().noneMatch(peer -> is(peer, id))
                && configuration.getListenersList().stream().noneMatch(peer -> is(peer, id));
    }

    /** The member behind what a peer says of itself; empty if that names nobody. */
    static Optional<Member> voter(RaftPeerProto peer) {
        if (peer.getId().isEmpty()) {
            return Optional.empty();
        }
        Part part = peer.getPriority() == WITNESS ? Part.WITNESS : Part.VOTER;
        NodeId id = id(RaftPeerId.valueOf(peer.getId()));
        return Optional.of(new Member(id, peer.getAddress(), peer.getClientAddress(), part));
    }

    private static boolean is(RaftPeerProto peer, RaftPeerId id) {
        return peer.getId().equals(id.toByteString());
    }

    private static Member member(RaftPeer peer, boolean votes) {
        Part part = !votes ? Part.LEARNER : peer.getPriority() == WITNESS ? Part.WITNESS : Part.VOTER;
        return new Member(id(peer.getId()), peer.getAddress(), text(peer.getClientAddress()), part);
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
