package dev.holdfast.cli.doctor;

import dev.holdfast.cli.doctor.Finding.Severity;
import dev.holdfast.cli.doctor.Observation.NodeView;
import dev.holdfast.protocol.v1.StatusResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What was seen and what follows from it, the worst first. */
record Diagnosis(Observation seen, List<Finding> findings) {

    static Diagnosis of(Observation seen, LockRules.Thresholds much, Map<String, String> regions) {
        return new Diagnosis(
                seen,
                Stream.of(
                                ReachRules.of(seen),
                                AgreementRules.of(seen),
                                PlacementRules.of(seen, regions),
                                LockRules.of(seen, much))
                        .flatMap(found -> found)
                        .sorted(Comparator.comparing(Finding::severity))
                        .toList());
    }

    /** Whether nothing needs to be done. */
    boolean isHealthy() {
        return findings.stream().allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    /** The cluster in one line. */
    String summary() {
        long answering =
                seen.nodes().stream().filter(node -> node.status().isPresent()).count();
        Optional<StatusResponse> widest = seen.widest();
        if (widest.isEmpty()) {
            return "None of " + seen.nodes().size() + " nodes answers.";
        }
        return answering + " of " + seen.nodes().size() + " nodes answer, "
                + seen.leader().map(NodeView::name).map(name -> name + " leads").orElse("nobody leads") + ", "
                + widest.get().getMembersReachable() + " of " + widest.get().getMembers() + " votes, "
                + widest.get().getLeases() + " leases, " + widest.get().getLocks() + " locks; " + states() + ".";
    }

    private String states() {
        if (seen.hashes().isEmpty()) {
            return "states not compared";
        }
        return findings.stream().anyMatch(finding -> finding.name().equals("STATES_DIFFER"))
                ? "states differ"
                : "states equal after entry "
                        + seen.hashes().values().iterator().next().index();
    }
}
