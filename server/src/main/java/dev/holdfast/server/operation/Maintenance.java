package dev.holdfast.server.operation;

import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Role;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.backup.Backup;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.replica.StateHashes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** How a node is, and what operators do to its log: snapshots, backups, hashes of the state. */
public final class Maintenance {
    private static final String SNAPSHOT = "snapshot";

    private final NodeCore node;

    public Maintenance(NodeCore node) {
        this.node = node;
    }

    /**
     * How a node is.
     *
     * @param role whether it leads, follows, or knows no leader
     * @param voters how many members vote
     * @param warnings what an operator should know, in sentences
     */
    public record Status(
            String version,
            String role,
            LogStatus log,
            long applied,
            int voters,
            int reachable,
            int leases,
            int locks,
            int waiters,
            int featureLevel,
            List<String> warnings) {}

    public Status status() {
        LogStatus log = node.log().status();
        int voters = (int) log.members().stream().filter(Member::votes).count();
        String role = log.role() instanceof Role.Leading
                ? "leading"
                : node.neighbours().leader().isPresent() ? "following" : "no leader";
        return node.replica()
                .ask(view -> new Status(
                        version(),
                        role,
                        log,
                        node.replica().appliedIndex(),
                        voters,
                        node.neighbours().reachable(),
                        view.leaseCount(),
                        view.lockCount(),
                        node.metrics().waiters(),
                        view.featureLevel(),
                        warnings(log, voters)));
    }

    private List<String> warnings(LogStatus log, int voters) {
        List<String> warnings = new ArrayList<>();
        if (log.members().size() == 1) {
            warnings.add("one node only: what it acknowledged is lost with its disk");
        } else if (node.neighbours().reachable() < voters) {
            warnings.add(node.neighbours().describe());
        }
        return warnings;
    }

    private static String version() {
        String version = Maintenance.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Writes a snapshot and forgets the log before it, as far as no member needs it; gives its index. */
    public CompletableFuture<Long> compact() {
        return Failures.ofLog(SNAPSHOT, node.log()::snapshot);
    }

    /** Completes when there is a snapshot of everything that was acknowledged before this call: see {@link #backup}. */
    public CompletableFuture<Long> prepareBackup() {
        Reads.Question<Long> place = node.reads().read(Flow.OF_NODE, false, MachineView::revision);
        return place.ready().thenCompose(ready -> compact());
    }

    /** A backup out of the latest snapshot, to be read where reading from a disk may wait. */
    public Backup.Source backup() throws IOException {
        return Backup.of(
                node.cluster(),
                node.log().latestSnapshot().orElseThrow(() -> new IOException("the snapshot is gone already")));
    }

    /** The hash of the state after the first entry at or above an index; 0 for now. */
    public CompletableFuture<StateHashes.Hash> stateHash(long index) {
        return node.hashes().after(index);
    }
}
