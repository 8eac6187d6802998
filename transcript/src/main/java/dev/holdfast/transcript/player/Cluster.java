package dev.holdfast.transcript.player;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import dev.holdfast.transcript.step.TranscriptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The replicas, the term and the leader's clock. Every entry goes to all replicas, and they must agree. */
final class Cluster {
    private final List<Replica> replicas = new ArrayList<>();
    private int leader;
    private long term = 1;
    private long clockMillis;

    /** A snapshot that is being written; the machine takes one at a time. */
    private boolean snapshotOpen;

    Cluster(int size) {
        for (int i = 0; i < size; i++) {
            replicas.add(new Replica());
        }
    }

    /** The machine that answers. */
    LockMachine machine() {
        return replicas.get(leader).machine();
    }

    int size() {
        return replicas.size();
    }

    long term() {
        return term;
    }

    /** The leader's number, from 1. */
    int leader() {
        return leader + 1;
    }

    int running() {
        return (int) replicas.stream().filter(Replica::isRunning).count();
    }

    boolean hasMajority() {
        return 2 * running() > size();
    }

    long clockMillis() {
        return clockMillis;
    }

    /** Moves the leader's clock; the machines learn of it with the next entry. */
    void moveClockTo(long millis) {
        clockMillis = Math.max(clockMillis, millis);
    }

    void setSnapshotOpen(boolean open) {
        snapshotOpen = open;
    }

    Batch batch(long[] renewals, List<Command> commands) {
        return new Batch(term, clockMillis, clockMillis, renewals, commands);
    }

    /** An entry of this term whose stamp another term's clock made. */
    Applied applyStampOfOldTerm(long aheadMillis) {
        long time = clockMillis + aheadMillis;
        return apply(new Batch(term - 1, time, time, new long[0], List.of()));
    }

    Applied apply(Batch batch) {
        if (!hasMajority() || !replicas.get(leader).isRunning()) {
            throw new IllegalStateException("an entry without a majority");
        }
        Applied answer = replicas.get(leader).apply(term, batch);
        for (Replica replica : replicas) {
            if (!replica.isRunning()) {
                replica.miss(term, batch);
            } else if (replica != replicas.get(leader)
                    && !replica.apply(term, batch).equals(answer)) {
                throw new IllegalStateException("a replica gave another answer than the leader");
            }
        }
        compare();
        return answer;
    }

    /** A new term: its clock starts where the machine stands. */
    void changeLeader() {
        do {
            leader = (leader + 1) % size();
        } while (!replicas.get(leader).isRunning());
        startTerm();
    }

    void startTerm() {
        term++;
        clockMillis = machine().view().now();
    }

    Replica replica(int number) {
        if (number < 1 || number > size()) {
            throw new TranscriptException("there is no replica " + number + "; there are " + size());
        }
        return replicas.get(number - 1);
    }

    List<Replica> replicas() {
        return replicas;
    }

    /** All running replicas have the same state, or the transcript has found a bug. */
    void compare() {
        if (snapshotOpen) {
            return;
        }
        Optional<Long> expected = Optional.empty();
        for (Replica replica : replicas) {
            if (replica.isRunning()) {
                long hash = replica.machine().stateHash();
                if (expected.isPresent() && expected.get() != hash) {
                    throw new IllegalStateException("the replicas have come to different states");
                }
                expected = Optional.of(hash);
            }
        }
    }
}
