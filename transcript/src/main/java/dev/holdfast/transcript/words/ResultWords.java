package dev.holdfast.transcript.words;

import dev.holdfast.core.Hold;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The answer to a command that made no event, or more about one that joined a queue. */
final class ResultWords {
    private ResultWords() {}

    /** @param view as it was right after the command */
    static String of(String name, Command command, Result result, MachineView view) {
        if (result instanceof Result.Refused refused) {
            return name + " is refused " + RefusalWords.of(refused, view);
        } else if (result instanceof Result.Granted granted) {
            return name + " holds " + Phrases.things(granted.holds()) + " already, token "
                    + Phrases.token(granted.token().value());
        } else if (result instanceof Result.Downgraded downgraded) {
            return name + " holds " + Phrases.things(downgraded.holds()) + " already, token "
                    + Phrases.token(downgraded.token().value());
        } else if (result instanceof Result.Described described && command instanceof Command.Describe describe) {
            return name + " has described " + Phrases.key(describe.key()) + " so already, token "
                    + Phrases.token(described.token().value());
        } else if (result instanceof Result.Queued queued && command instanceof Command.OfLease ofLease) {
            return queuedStill(name, queued, ofLease, view);
        } else if (result instanceof Result.LeaseGranted granted) {
            return name + "'s lease is open already, " + Phrases.duration(granted.endMillis() - view.now()) + " left";
        } else if (result instanceof Result.Ended ended) {
            return name + "'s grant with token " + Phrases.token(ended.token().value()) + " has ended: "
                    + EventWords.reason(ended.reason(), "");
        } else if (result instanceof Result.AlreadyReleased) {
            return alreadyReleased(name, command);
        } else if (result instanceof Result.Cancelled cancelled && command instanceof Command.Cancel cancel) {
            return name + "'s request " + cancel.seq()
                    + (cancelled.was() == Result.Cancelled.Was.FINISHED
                            ? " was finished before"
                            : " is not known yet and will be refused when it comes");
        } else if (result instanceof Result.Changed) {
            return changed(command);
        }
        throw new IllegalArgumentException("no words for " + result);
    }

    /** A request that joins a queue: where it stands and behind whom. */
    static String queued(Event.Queued event, Result.Queued result, Command.OfLease command, MachineView view) {
        return event.party().clientId() + " waits for " + Phrases.things(event.holds())
                + place(event.holds(), result, explanation(result, command, view), view);
    }

    private static String queuedStill(String name, Result.Queued result, Command.OfLease command, MachineView view) {
        Optional<Explanation> why = explanation(result, command, view);
        List<Hold> holds = why.map(Explanation::wants).orElse(List.of());
        return name + " waits for " + Phrases.things(holds) + " already" + place(holds, result, why, view);
    }

    private static String place(List<Hold> asked, Result.Queued result, Optional<Explanation> why, MachineView view) {
        boolean elsewhere = asked.stream().anyMatch(hold -> !hold.key().equals(result.blockedOn()));
        String where = elsewhere ? ", blocked at " + Phrases.key(result.blockedOn()) : "";
        String unchecked = result.deadlockChecked() ? "" : ", not checked for deadlock";
        String behind = why.map(found -> behind(found, view)).orElse("");
        return where + ", " + Phrases.ordinal(result.position() + 1) + " in line" + behind + unchecked;
    }

    private static String behind(Explanation why, MachineView view) {
        Set<String> names = new LinkedHashSet<>();
        for (Explanation.Step step : why.steps()) {
            if (step.waiterRevision() == why.revision()) {
                names.add(
                        step.how() == Explanation.How.LOCK_DELAY
                                ? "the lock-delay after " + step.blocker()
                                : step.blocker());
            }
        }
        if (names.isEmpty()) {
            return view.isQuarantined() ? ", until the quarantine ends" : "";
        }
        return ", behind " + Phrases.and(new ArrayList<>(names));
    }

    private static Optional<Explanation> explanation(Result.Queued result, Command.OfLease command, MachineView view) {
        return view.explain(command.lease(), command.principal(), 0).stream()
                .filter(why -> why.revision() == result.revision())
                .findFirst();
    }

    private static String alreadyReleased(String name, Command command) {
        if (command instanceof Command.Release release) {
            return release.token() == 0
                    ? name + " has nothing to release at " + Phrases.key(release.key())
                    : name + "'s grant of " + Phrases.key(release.key()) + " had ended before";
        }
        return command instanceof Command.ForceRelease force
                ? "the grant of " + Phrases.key(force.key()) + " had ended before"
                : "the grant had ended before";
    }

    private static String changed(Command command) {
        if (command instanceof Command.SetLimit set) {
            return "the limit " + set.limit() + " is " + set.value();
        }
        return command instanceof Command.RaiseFeatureLevel raise
                ? "the feature level is at least " + raise.level()
                : "done";
    }
}
