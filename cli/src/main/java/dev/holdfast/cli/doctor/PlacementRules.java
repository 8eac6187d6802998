package dev.holdfast.cli.doctor;

import dev.holdfast.consensus.Member;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.server.cluster.Placement;
import dev.holdfast.server.cluster.Placement.Seat;
import dev.holdfast.server.cluster.Spread;
import dev.holdfast.server.settings.HostPort;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the cluster survives by the way it is laid out, and who can reach it. */
final class PlacementRules {
    private PlacementRules() {}

    /** @param regions what fails as one, by member; empty if that was not told */
    static Stream<Finding> of(Observation seen, Map<String, String> regions) {
        List<MemberInfo> voters = seen.members().stream()
                .filter(member -> member.getPart() != Part.LEARNER)
                .toList();
        return Stream.concat(placement(voters, regions), reachable(seen));
    }

    private static Stream<Finding> placement(List<MemberInfo> voters, Map<String, String> regions) {
        if (voters.size() < 2) {
            return Stream.empty(); // that it is single is a finding of its own
        }
        // Where nothing was told, each node is taken to fail alone: who knows better says so.
        Placement placement = new Placement(voters.stream()
                .map(voter -> new Seat(
                        voter.getName(),
                        regions.isEmpty() ? voter.getName() : regions.getOrDefault(voter.getName(), ""),
                        voter.getPart() == Part.WITNESS ? Member.Part.WITNESS : Member.Part.VOTER))
                .toList());
        String proposal = placement.proposal().map(Spread::sentence).orElse("holdfast member add --help");
        return placement.warnings().stream()
                .filter(warning -> !regions.isEmpty() || !warning.startsWith("The loss of region"))
                .map(warning -> Finding.warning(
                        "PLACEMENT",
                        warning,
                        "a lock service is as available as what it survives the loss of",
                        proposal));
    }

    private static Stream<Finding> reachable(Observation seen) {
        List<String> open = seen.members().stream()
                .filter(member -> !member.getClientAddress().isEmpty())
                .filter(member -> !isLoopback(member.getClientAddress()))
                .map(member -> member.getName() + " " + member.getClientAddress())
                .toList();
        return open.isEmpty() || seen.encrypted()
                ? Stream.empty()
                : Stream.of(Finding.note(
                        "NOT_ENCRYPTED",
                        "addresses beyond this machine are served without encryption: " + String.join(", ", open),
                        "anyone who can reach them can read keys, take locks and take them away from others",
                        "keep both ports within a network that only trusted machines can reach"));
    }

    private static boolean isLoopback(String address) {
        try {
            return HostPort.parse(address).isLoopback();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
