package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Replica;
import java.util.List;

/**
 * The loop of the writing thread: takes what waits, has it on disk, applies it, answers.
 *
 * <p>One thread does it all, so an entry changes threads once on its way, and what comes in during a flush
 * shares the next one.
 */
final class Commits {
    private final Replica replica;
    private final Intake intake;
    private final Appender appender;
    private final Compactor compactor;
    private final long term;
    private volatile long applied;

    Commits(Replica replica, Intake intake, Appender appender, Compactor compactor, long term) {
        this.replica = replica;
        this.intake = intake;
        this.appender = appender;
        this.compactor = compactor;
        this.term = term;
        this.applied = appender.lastIndex();
    }

    long term() {
        return term;
    }

    long applied() {
        return applied;
    }

    /** Returns when the intake has ended and all of it is answered; throws when the log cannot go on. */
    void run() {
        List<Proposal> batch = List.of();
        try {
            while (!intake.ended()) {
                batch = intake.take();
                commit(batch);
                if (compactor.due()) {
                    appender.roll();
                    compactor.begin(term, applied);
                }
            }
        } catch (RuntimeException | Error e) {
            answerAfter(e, batch);
            throw e;
        }
    }

    private void commit(List<Proposal> batch) {
        if (batch.isEmpty()) {
            return;
        }
        compactor.grown(appender.append(batch.stream().map(Proposal::entry).toList()));
        for (Proposal proposal : batch) {
            long index = applied + 1;
            apply(index, proposal.entry());
            applied = index;
            proposal.outcome().complete(new Outcome.Applied(term, index));
        }
    }

    private void apply(long index, byte[] entry) {
        try {
            replica.apply(term, index, entry);
        } catch (RuntimeException | Error e) {
            throw new LogException("the entry at index " + index + " could not be applied: " + e, e);
        }
    }

    private void answerAfter(Throwable failure, List<Proposal> batch) {
        String reason = String.valueOf(failure.getMessage());
        intake.end(reason);
        // What was written may be on disk for all that, and is then applied by the next start.
        for (Proposal proposal : batch) {
            proposal.outcome().complete(new Outcome.Unknown(reason));
        }
        while (!intake.ended()) {
            for (Proposal proposal : intake.take()) {
                proposal.outcome().complete(new Outcome.NotAppended(reason));
            }
        }
    }
}
