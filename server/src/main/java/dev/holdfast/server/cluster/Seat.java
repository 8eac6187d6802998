package dev.holdfast.server.cluster;

import dev.holdfast.consensus.Member;

/**
 * Where one member of the cluster stands.
 *
 * @param region what fails as one: a region, a zone, a rack; empty if not said
 */
public record Seat(String member, String region, Member.Part part) {
    boolean votes() {
        return part != Member.Part.LEARNER;
    }

    /** Votes and keeps the state: only such a one can lead and serve. */
    boolean isFullVoter() {
        return part == Member.Part.VOTER;
    }
}
