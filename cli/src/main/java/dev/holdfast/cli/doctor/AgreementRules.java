package dev.holdfast.cli.doctor;

import dev.holdfast.cli.doctor.Observation.Hash;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.StatusResponse;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the nodes are of one cluster, have the same state and the same abilities, and keep up. */
final class AgreementRules {
    /** As many entries as a joining node may be behind when it is given a vote. */
    private static final long MANY_ENTRIES = 1_000;

    private AgreementRules() {}

    static Stream<Finding> of(Observation seen) {
        return Stream.of(
                        clusters(seen).stream(),
                        states(seen).stream(),
                        behind(seen),
                        versions(seen).stream(),
                        featureLevel(seen).stream())
                .flatMap(found -> found);
    }

    private static Optional<Finding> clusters(Observation seen) {
        Map<String, String> clusters =
                byNode(seen, status -> Long.toUnsignedString(status.getHeader().getClusterId()));
        return differ(clusters)
                ? Optional.of(Finding.problem(
                        "TWO_CLUSTERS",
                        "the addresses belong to different clusters: " + words(clusters),
                        "a lock of one cluster means nothing in the other",
                        "name nodes of one cluster in --endpoints and HOLDFAST_ENDPOINTS"))
                : Optional.empty();
    }

    private static Optional<Finding> states(Observation seen) {
        Map<String, String> hashes = new TreeMap<>();
        seen.hashes().forEach((node, hash) -> hashes.put(node, Long.toHexString(hash.value())));
        long places =
                seen.hashes().values().stream().map(Hash::index).distinct().count();
        return places == 1 && differ(hashes)
                ? Optional.of(Finding.problem(
                        "STATES_DIFFER",
                        "the nodes have different states after entry "
                                + seen.hashes().values().iterator().next().index() + ": " + words(hashes),
                        "the same log must give the same state on every node; one that differs may answer wrongly",
                        "save the data directories and the nodes' output, report it, then replace the node that differs"
                                + " from the others: holdfast member replace NAME"))
                : Optional.empty();
    }

    private static Stream<Finding> behind(Observation seen) {
        long furthest = seen.members().stream()
                .mapToLong(MemberInfo::getMatchedIndex)
                .max()
                .orElse(-1);
        return seen.members().stream()
                .filter(member -> member.getMatchedIndex() >= 0 && furthest - member.getMatchedIndex() > MANY_ENTRIES)
                .map(member -> Finding.warning(
                        "NODE_BEHIND",
                        member.getName() + " is " + (furthest - member.getMatchedIndex()) + " entries behind",
                        "it helps a majority only once it has caught up, and its answers to stale reads are old",
                        "if it was just started, wait; otherwise check its disk, its network and its load: holdfast "
                                + "members"));
    }

    private static Optional<Finding> versions(Observation seen) {
        Map<String, String> versions = byNode(seen, StatusResponse::getVersion);
        return differ(versions)
                ? Optional.of(Finding.warning(
                        "VERSIONS_DIFFER",
                        "the nodes run different versions: " + words(versions),
                        "fine during an upgrade, but not permanently: new features wait for the last node",
                        "finish the upgrade, one node at a time: docs/operations.md"))
                : Optional.empty();
    }

    private static Optional<Finding> featureLevel(Observation seen) {
        int level =
                seen.statuses().mapToInt(StatusResponse::getFeatureLevel).max().orElse(0);
        int supported = seen.statuses()
                .mapToInt(StatusResponse::getSupportedFeatureLevel)
                .min()
                .orElse(0);
        return supported > level
                ? Optional.of(Finding.note(
                        "FEATURE_LEVEL",
                        "the cluster is at feature level " + level + ", all nodes that answer support " + supported,
                        "the features of the higher level are not in use, so that a downgrade stays possible",
                        "when you will not go back: holdfast limits raise-feature-level " + supported))
                : Optional.empty();
    }

    private static Map<String, String> byNode(Observation seen, Function<StatusResponse, String> fact) {
        Map<String, String> facts = new TreeMap<>();
        seen.nodes().forEach(node -> node.status().ifPresent(status -> facts.put(node.name(), fact.apply(status))));
        return facts;
    }

    private static boolean differ(Map<String, String> facts) {
        return facts.values().stream().distinct().count() > 1;
    }

    private static String words(Map<String, String> facts) {
        return facts.entrySet().stream()
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .collect(Collectors.joining(", "));
    }
}
