package dev.holdfast.server.propose;

import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.server.replica.LockReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A log whose entries are applied, lost or refused when a test says so. */
final class ManualLog implements ReplicatedLog {
    private final LockReplica replica;
    private final List<Proposed> proposed = new ArrayList<>();
    private long index;
    private String refusal = "";

    @SuppressWarnings("ArrayRecordComponent")
    record Proposed(long term, byte[] entry, CompletableFuture<Outcome> outcome) {}

    ManualLog(LockReplica replica) {
        this.replica = replica;
    }

    @Override
    public CompletableFuture<Outcome> propose(long term, byte[] entry) {
        if (!refusal.isEmpty()) {
            return CompletableFuture.completedFuture(new Outcome.NotAppended(refusal));
        }
        Proposed added = new Proposed(term, entry, new CompletableFuture<>());
        proposed.add(added);
        return added.outcome();
    }

    int waiting() {
        return proposed.size();
    }

    /** Commits and applies the oldest entry in the term it was proposed for. */
    void applyNext() {
        Proposed next = proposed.remove(0);
        replica.apply(next.term(), ++index, next.entry());
        next.outcome().complete(new Outcome.Applied(next.term(), index));
    }

    /** The oldest entry is lost with its leader; nobody knows yet. */
    void loseNext() {
        proposed.remove(0).outcome().complete(new Outcome.Unknown("stepped down"));
    }

    /** An entry of somebody else. */
    void applyForeign(long term, byte[] entry) {
        replica.apply(term, ++index, entry);
    }

    void refuse(String reason) {
        refusal = reason;
    }

    void accept() {
        refusal = "";
    }

    @Override
    public void start() {}

    @Override
    public LogStatus status() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> reconfigure(List<Member> expected, List<Member> next) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> transferLeadership(Optional<NodeId> to, Duration atMost) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Long> snapshot() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<SnapshotFile> latestSnapshot() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
