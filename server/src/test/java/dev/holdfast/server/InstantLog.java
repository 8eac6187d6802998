package dev.holdfast.server;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.replica.Entry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * A log of one node in memory, which commits whatever is proposed and applies it on a thread of its own, unless a test
 * tells it otherwise.
 */
public final class InstantLog implements ReplicatedLog {
    private final List<Member> members;
    private final Replica replica;
    private final ExecutorService applier = Executors.newSingleThreadExecutor(task -> new Thread(task, "instant-log"));
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private long term = 1;
    private long appended;
    private volatile long applied;
    private Predicate<Command> refused = command -> false;
    private Behaviour behaviour = Behaviour.APPLY;
    private Role role = new Role.Following(0, Optional.empty());

    /** What becomes of a proposed entry. */
    public enum Behaviour {
        APPLY,
        /** Appended, and applied once the log behaves again. */
        PAUSE,
        /** Not appended. */
        REFUSE,
        /** Never heard of again. */
        DROP
    }

    /**
     * A log that leads once it is started.
     *
     * @param members who are said to be in it
     */
    public InstantLog(List<Member> members, Replica replica) {
        this.members = members;
        this.replica = replica;
    }

    @Override
    public void start() {
        lead(1);
    }

    /** From now on entries are treated so; those held back are applied if that is to apply. */
    public synchronized void behave(Behaviour next) {
        behaviour = next;
        if (next == Behaviour.APPLY) {
            held.forEach(applier::execute);
            held.clear();
        }
    }

    /** From now on entries with such commands are not appended. */
    public synchronized void refuse(Predicate<Command> commands) {
        refused = commands;
    }

    public void lead(long newTerm) {
        changeRole(newTerm, new Role.Leading(newTerm));
    }

    public void stepDown() {
        follow(Optional.empty());
    }

    /** Lets another node lead. */
    public void follow(Optional<NodeId> leader) {
        long newTerm;
        synchronized (this) {
            newTerm = term + 1;
        }
        changeRole(newTerm, new Role.Following(newTerm, leader));
    }

    private void changeRole(long newTerm, Role next) {
        synchronized (this) {
            term = newTerm;
            role = next;
        }
        replica.roleChanged(next);
    }

    @Override
    public synchronized CompletableFuture<Outcome> propose(long proposedTerm, byte[] entry) {
        boolean isRefused = Entry.decode(entry).batch().commands().stream().anyMatch(refused);
        if (isRefused || behaviour == Behaviour.REFUSE || proposedTerm != term || !(role instanceof Role.Leading)) {
            return CompletableFuture.completedFuture(new Outcome.NotAppended("the test refuses it"));
        }
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        if (behaviour == Behaviour.DROP) {
            return outcome;
        }
        long index = ++appended;
        Runnable apply = () -> {
            try {
                replica.apply(proposedTerm, index, entry);
                applied = index;
                outcome.complete(new Outcome.Applied(proposedTerm, index));
            } catch (RuntimeException | Error e) {
                replica.failed("entry " + index + " could not be applied", e);
            }
        };
        if (behaviour == Behaviour.PAUSE) {
            held.add(apply);
        } else {
            applier.execute(apply);
        }
        return outcome;
    }

    @Override
    public synchronized LogStatus status() {
        return new LogStatus("in memory, for tests", role, applied, -1, members, 0, Map.of(), Map.of());
    }

    @Override
    public CompletableFuture<Void> reconfigure(List<Member> expected, List<Member> next) {
        return CompletableFuture.failedFuture(LogException.refused("a log for tests has no members"));
    }

    @Override
    public CompletableFuture<Void> transferLeadership(Optional<NodeId> to, Duration atMost) {
        return CompletableFuture.failedFuture(LogException.refused("a log for tests has no members"));
    }

    @Override
    public CompletableFuture<Long> snapshot() {
        return CompletableFuture.failedFuture(LogException.refused("a log for tests keeps no snapshots"));
    }

    @Override
    public Optional<SnapshotFile> latestSnapshot() {
        return Optional.empty();
    }

    @Override
    public void close() {
        applier.shutdown();
    }
}
