package dev.holdfast.server.cluster;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.protocol.v1.Identity;
import dev.holdfast.protocol.v1.Part;
import java.util.List;

/** Members as they travel. */
public final class Identities {
    private Identities() {}

    public static Identity of(Member member) {
        return Identity.newBuilder()
                .setId(member.id().toString())
                .setPeerAddress(member.peerAddress())
                .setClientAddress(member.clientAddress())
                .setPart(of(member.part()))
                .build();
    }

    public static List<Identity> of(List<Member> members) {
        return members.stream().map(Identities::of).toList();
    }

    public static Member member(Identity identity) {
        return new Member(
                NodeId.parse(identity.getId()),
                identity.getPeerAddress(),
                identity.getClientAddress(),
                part(identity.getPart()));
    }

    public static List<Member> members(List<Identity> identities) {
        return identities.stream().map(Identities::member).toList();
    }

    public static Part of(Member.Part part) {
        return switch (part) {
            case VOTER -> Part.VOTER;
            case WITNESS -> Part.WITNESS;
            case LEARNER -> Part.LEARNER;
        };
    }

    private static Member.Part part(Part part) {
        return switch (part) {
            case VOTER -> Member.Part.VOTER;
            case WITNESS -> Member.Part.WITNESS;
            case LEARNER -> Member.Part.LEARNER;
            case UNRECOGNIZED -> throw new IllegalArgumentException("part: not known to this version");
        };
    }
}
