package dev.holdfast.cli.doctor;

import dev.holdfast.cli.doctor.Observation.NodeView;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.protocol.v1.StatusResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who answers, who leads, and how much more may fail. */
final class ReachRules {
    private static final long SILENT_MILLIS = 5_000;

    private ReachRules() {}

    static Stream<Finding> of(Observation seen) {
        return Stream.of(
                        seen.nodes().stream()
                                .filter(node -> node.status().isEmpty())
                                .map(ReachRules::silentNode),
                        silentWitnesses(seen),
                        leaderless(seen).stream(),
                        votes(seen).stream(),
                        single(seen).stream())
                .flatMap(found -> found);
    }

    private static Finding silentNode(NodeView node) {
        return Finding.problem(
                "NODE_SILENT",
                node.words() + " does not answer: " + node.problem(),
                "while it is away it counts for no majority, and its clients go to other nodes",
                "see whether its process runs and what it said last; start it again with its own data directory, or, if"
                        + " that is lost: holdfast member replace " + node.name());
    }

    /** They serve no clients: only the leader hears of them. */
    private static Stream<Finding> silentWitnesses(Observation seen) {
        return seen.members().stream()
                .filter(member -> member.getClientAddress().isEmpty() && member.getSilentMs() > SILENT_MILLIS)
                .map(member -> Finding.problem(
                        "NODE_SILENT",
                        member.getName() + " (" + member.getPeerAddress() + ", "
                                + (member.getPart() == Part.WITNESS ? "witness" : "learner")
                                + ") has been silent for " + Durations.text(member.getSilentMs()),
                        "while it is away its vote counts for no majority",
                        "see whether its process runs and what it said last; start it again with its own data directory,"
                                + " or, if that is lost: holdfast member replace " + member.getName()));
    }

    private static Optional<Finding> leaderless(Observation seen) {
        Optional<StatusResponse> widest = seen.widest();
        if (widest.isEmpty()
                || widest.get().getMembersReachable() < majority(widest.get())
                || seen.statuses().anyMatch(status -> !status.getRole().equals("no leader"))) {
            return Optional.empty();
        }
        return Optional.of(Finding.problem(
                "NO_LEADER",
                "no node leads, although " + votesWords(widest.get()),
                "nothing is granted or released until there is a leader; leases do not run out meanwhile",
                "an election takes a few seconds at most; if this lasts longer, check whether the nodes can reach each "
                        + "other's peer addresses: holdfast members"));
    }

    private static Optional<Finding> votes(Observation seen) {
        Optional<StatusResponse> widest = seen.widest();
        if (widest.isEmpty() || widest.get().getMembers() < 2) {
            return Optional.empty();
        }
        int votes = widest.get().getMembers();
        int reachable = widest.get().getMembersReachable();
        int majority = majority(widest.get());
        if (reachable < majority) {
            return Optional.of(Finding.problem(
                    "NO_QUORUM",
                    "nobody can lead: " + votesWords(widest.get()) + ", " + majority + " are needed",
                    "without a majority nothing is granted or released; leases do not run out meanwhile",
                    "start the missing nodes with their own data directories; if those of a majority are lost, start a "
                            + "new cluster from a backup: holdfast snapshot restore --help"));
        }
        return reachable > majority || reachable == votes
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        "QUORUM_AT_RISK",
                        votesWords(widest.get()) + ", " + majority + " are needed",
                        "the loss of one more stops every lock",
                        "bring the missing node back, or replace it: holdfast member replace " + missing(seen)));
    }

    private static int majority(StatusResponse status) {
        return status.getMembers() / 2 + 1;
    }

    private static String votesWords(StatusResponse status) {
        return status.getMembersReachable() + " of " + status.getMembers() + " voting nodes are reachable";
    }

    private static String missing(Observation seen) {
        return Stream.concat(
                        seen.nodes().stream()
                                .filter(node -> node.status().isEmpty())
                                .map(NodeView::name),
                        seen.members().stream()
                                .filter(member -> member.getSilentMs() > SILENT_MILLIS)
                                .map(MemberInfo::getName))
                .findFirst()
                .orElse("NAME");
    }

    private static Optional<Finding> single(Observation seen) {
        List<StatusResponse> alone =
                seen.statuses().filter(status -> status.getMembers() == 1).toList();
        return alone.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        "SINGLE_NODE",
                        name(alone.get(0)) + " is a single node: "
                                + alone.get(0).getLog(),
                        "while it is down no lock can be taken, and if its disk is lost, everything is lost",
                        "for more than trying out, run three nodes (docs/operations.md); meanwhile back it up:"
                                + " holdfast snapshot save FILE"));
    }

    static String name(StatusResponse status) {
        int at = status.getMember().indexOf('@');
        return at < 0 ? status.getMember() : status.getMember().substring(0, at);
    }
}
