package dev.holdfast.transcript.words;

import dev.holdfast.core.FencingToken;
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
record ResultWords(String name, Command command, MachineView view) implements Result.Cases<String> {

    /** @param view as it was right after the command */
    static String of(String name, Command command, Result result, MachineView view) {
        return result.match(new ResultWords(name, command, view));
    }

    @Override
    public String refused(Result.Refused result) {
        return name + " is refused " + RefusalWords.of(result, view);
    }

    @Override
    public String granted(Result.Granted result) {
        return holdsAlready(result.holds(), result.token());
    }

    @Override
    public String downgraded(Result.Downgraded result) {
        return holdsAlready(result.holds(), result.token());
    }

    private String holdsAlready(List<Hold> holds, FencingToken token) {
        return name + " holds " + Phrases.things(holds) + " already, token " + Phrases.token(token.value());
    }

    @Override
    public String described(Result.Described result) {
        String what = command instanceof Command.Describe describe ? Phrases.key(describe.key()) : "it";
        return name + " has described " + what + " so already, token "
                + Phrases.token(result.token().value());
    }

    @Override
    public String queued(Result.Queued result) {
        Optional<Explanation> why = explanation(result, command, view);
        List<Hold> holds = why.map(Explanation::wants).orElse(List.of());
        return name + " waits for " + Phrases.things(holds) + " already" + place(holds, result, why, view);
    }

    @Override
    public String leaseGranted(Result.LeaseGranted result) {
        String left = ", " + Phrases.duration(result.endMillis() - view.now()) + " left";
        if (result.asked() > 0) {
            return name + "'s lease was extended before to " + Phrases.duration(result.ttlMillis()) + " in all" + left;
        }
        return name + (result.asked() == 0 ? "'s lease is open already" : "'s lease is kept") + left;
    }

    @Override
    public String ended(Result.Ended result) {
        return name + "'s grant with token " + Phrases.token(result.token().value()) + " has ended: "
                + EventWords.reason(result.reason(), "");
    }

    @Override
    public String cancelled(Result.Cancelled result) {
        String request = command instanceof Command.Cancel cancel ? "'s request " + cancel.seq() : "'s request";
        return name
                + request
                + (result.was() == Result.Cancelled.Was.FINISHED
                        ? " was finished before"
                        : " is not known yet and will be refused when it comes");
    }

    @Override
    public String leaseRevoked(Result.LeaseRevoked result) {
        throw toldByEvent(result);
    }

    @Override
    public String released(Result.Released result) {
        throw toldByEvent(result);
    }

    private static IllegalArgumentException toldByEvent(Result result) {
        return new IllegalArgumentException("an event should have told of " + result);
    }

    /** A request that joins a queue: where it stands and behind whom. */
    static String joined(Event.Queued event, Result.Queued result, Command command, MachineView view) {
        return event.party().clientId() + " waits for " + Phrases.things(event.holds())
                + place(event.holds(), result, explanation(result, command, view), view);
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

    private static Optional<Explanation> explanation(Result.Queued result, Command command, MachineView view) {
        return command instanceof Command.OfLease asked
                ? view.explain(asked.lease(), asked.principal(), 0, result.revision()).entries().stream()
                        .filter(why -> why.revision() == result.revision())
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public String alreadyReleased(Result.AlreadyReleased result) {
        return switch (command.kind()) {
            case RELEASE -> notReleased((Command.Release) command);
            case FORCE_RELEASE ->
                "the grant of " + Phrases.key(((Command.ForceRelease) command).key()) + " had ended before";
            case GRANT_LEASE,
                    EXTEND_LEASE,
                    REVOKE_LEASE,
                    ACQUIRE,
                    UPGRADE,
                    DOWNGRADE,
                    DESCRIBE,
                    CANCEL,
                    SET_LIMIT,
                    RAISE_FEATURE_LEVEL -> "the grant had ended before";
        };
    }

    private String notReleased(Command.Release release) {
        return release.token() == 0
                ? name + " has nothing to release at " + Phrases.key(release.key())
                : name + "'s grant of " + Phrases.key(release.key()) + " had ended before";
    }

    @Override
    public String changed(Result.Changed result) {
        return switch (command.kind()) {
            case SET_LIMIT -> {
                Command.SetLimit set = (Command.SetLimit) command;
                yield "the limit " + set.limit() + " is " + set.value();
            }
            case RAISE_FEATURE_LEVEL ->
                "the feature level is at least " + ((Command.RaiseFeatureLevel) command).level();
            case GRANT_LEASE,
                    EXTEND_LEASE,
                    REVOKE_LEASE,
                    ACQUIRE,
                    UPGRADE,
                    DOWNGRADE,
                    DESCRIBE,
                    RELEASE,
                    CANCEL,
                    FORCE_RELEASE -> "done";
        };
    }
}
