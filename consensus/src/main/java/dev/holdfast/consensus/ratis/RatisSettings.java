package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What one node needs to take part in a cluster.
 *
 * @param self this node; its peer address is where it listens
 * @param cluster identity of the cluster; nodes of different clusters never talk to each other
 * @param directory where log and snapshots are kept; made if missing
 * @param initialMembers the members a new cluster begins with, the same on each of them; empty for a node that
 *     an existing cluster takes in. Without effect once the directory has a log
 * @param electionMin shortest time without a leader before a member campaigns
 * @param electionMax longest such time
 * @param snapshotAfterBytes a snapshot is taken when this much log was applied since the last
 * @param bindAddress host or interface address to listen on, if it is not that of the peer address
 * @param seed a snapshot that is the state before the first entry; every founder has the same. Without effect once
 *     the directory has a snapshot
 * @param tls how peers prove who they are, if they must
 */
public record RatisSettings(
        Member self,
        UUID cluster,
        Path directory,
        List<Member> initialMembers,
        Duration electionMin,
        Duration electionMax,
        long snapshotAfterBytes,
        Optional<String> bindAddress,
        Optional<Path> seed,
        Optional<PeerTls> tls) {

    static final Duration SHORTEST_ELECTION = Duration.ofMillis(100);
    static final Duration LONGEST_ELECTION = Duration.ofMinutes(1);
    static final long SMALLEST_SNAPSHOT_TRIGGER = 16 * 1024;

    public RatisSettings {
        initialMembers = List.copyOf(initialMembers);
        directory = directory.toAbsolutePath().normalize();
        HostPort.parse("self.peerAddress", self.peerAddress());
        if (electionMin.compareTo(SHORTEST_ELECTION) < 0 || electionMax.compareTo(LONGEST_ELECTION) > 0) {
            throw new IllegalArgumentException("election times: must be between " + SHORTEST_ELECTION + " and "
                    + LONGEST_ELECTION + ", were " + electionMin + " and " + electionMax);
        }
        if (electionMax.compareTo(electionMin) <= 0) {
            throw new IllegalArgumentException(
                    "electionMax: must be above electionMin " + electionMin + ", was " + electionMax);
        }
        if (snapshotAfterBytes < SMALLEST_SNAPSHOT_TRIGGER) {
            throw new IllegalArgumentException("snapshotAfterBytes: must be at least " + SMALLEST_SNAPSHOT_TRIGGER
                    + ", was " + snapshotAfterBytes);
        }
        if (!initialMembers.isEmpty()) {
            checkMembers(initialMembers);
            if (!initialMembers.contains(self)) {
                throw new IllegalArgumentException("initialMembers: must contain self " + self.id());
            }
        }
    }

    /** Refuses a set of members that no cluster can have. */
    static void checkMembers(List<Member> members) {
        Set<String> seen = new HashSet<>();
        for (Member member : members) {
            if (!seen.add(member.id().toString())) {
                throw new IllegalArgumentException("members: " + member.id() + " is there twice");
            }
            HostPort.parse("peerAddress of " + member.id(), member.peerAddress());
        }
        if (members.stream().noneMatch(member -> member.part() == Part.VOTER)) {
            throw new IllegalArgumentException("members: at least one must be a full voter");
        }
    }
}
