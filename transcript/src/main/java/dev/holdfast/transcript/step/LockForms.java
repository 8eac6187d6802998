package dev.holdfast.transcript.step;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What can be said about locks: ask, give back, cancel, change, take away; and the limits on all that. */
final class LockForms {
    private static final Set<Clause> TRYING = EnumSet.of(
            Clause.AS_REQUEST,
            Clause.WITHOUT_NUMBER,
            Clause.ACKNOWLEDGING,
            Clause.ANSWER_LOST,
            Clause.AS_OWNER,
            Clause.IN_THREAD,
            Clause.FOR_AT_MOST,
            Clause.PURPOSE,
            Clause.METADATA,
            Clause.LEASE_COVERS_WAIT,
            Clause.UNDER_LEASE,
            Clause.AS_PRINCIPAL);
    private static final Set<Clause> TRYING_TO_UPGRADE = EnumSet.of(
            Clause.AS_REQUEST,
            Clause.ACKNOWLEDGING,
            Clause.ANSWER_LOST,
            Clause.IN_THREAD,
            Clause.WITH_TOKEN,
            Clause.UNDER_LEASE,
            Clause.AS_PRINCIPAL);
    static final Set<Clause> LOCKING = with(TRYING, Clause.WAITS_UP_TO);
    private static final Set<Clause> UPGRADING = with(TRYING_TO_UPGRADE, Clause.WAITS_UP_TO);
    private static final Set<Clause> RELEASING = EnumSet.of(
            Clause.WITH_TOKEN, Clause.WITHOUT_NUMBER, Clause.ACKNOWLEDGING, Clause.UNDER_LEASE, Clause.AS_PRINCIPAL);

    static final List<Form> ALL = List.of(
            new Form(
                    "NAME tries to lock ITEMS",
                    "alice tries to lock shared orders/42",
                    TRYING,
                    (match, clauses) -> lock(match, clauses, 0)),
            new Form("NAME locks ITEMS", "alice locks orders/42", LOCKING, LockForms::lock),
            new Form(
                    "NAME tries to upgrade KEY",
                    "alice tries to upgrade orders/42",
                    TRYING_TO_UPGRADE,
                    (match, clauses) -> upgrade(match, clauses, 0)),
            new Form(
                    "NAME upgrades KEY",
                    "alice upgrades orders/42",
                    UPGRADING,
                    (match, clauses) ->
                            upgrade(match, clauses, clauses.duration(Clause.WAITS_UP_TO, Command.WAIT_FOREVER))),
            new Form(
                    "NAME downgrades KEY",
                    "alice downgrades orders/42",
                    with(LeaseForms.CALLER, Clause.WITH_TOKEN),
                    (match, clauses) -> new Act.Downgrade(
                            LeaseForms.caller(match, clauses), match.key(1), clauses.token(Clause.WITH_TOKEN))),
            new Form(
                    "NAME describes KEY as TEXT",
                    "alice describes orders/42 as \"half done\"",
                    with(LeaseForms.CALLER, Clause.WITH_TOKEN),
                    (match, clauses) -> new Act.Describe(
                            LeaseForms.caller(match, clauses),
                            match.key(1),
                            clauses.token(Clause.WITH_TOKEN),
                            match.text(2))),
            new Form(
                    "NAME releases KEY",
                    "alice releases orders/42",
                    RELEASING,
                    (match, clauses) -> new Act.Release(
                            LeaseForms.caller(match, clauses),
                            match.key(1),
                            clauses.has(Clause.WITHOUT_NUMBER) ? OptionalLong.of(0) : clauses.token(Clause.WITH_TOKEN),
                            clauses.number(Clause.ACKNOWLEDGING))),
            new Form(
                    "NAME cancels request NUMBER",
                    "alice cancels request 3",
                    with(LeaseForms.CALLER, Clause.ACKNOWLEDGING),
                    (match, clauses) -> new Act.CancelRequest(
                            LeaseForms.caller(match, clauses), match.number(1), clauses.number(Clause.ACKNOWLEDGING))),
            new Form(
                    "NAME stops waiting for KEY",
                    "bob stops waiting for orders/42",
                    LeaseForms.CALLER,
                    (match, clauses) -> new Act.StopWaiting(LeaseForms.caller(match, clauses), match.key(1))),
            new Form(
                    "NAME takes KEY from NAME",
                    "olivia takes orders/42 from alice, because \"stuck for an hour\"",
                    EnumSet.of(Clause.BECAUSE, Clause.WITH_TOKEN),
                    (match, clauses) -> new Act.Take(
                            match.text(0),
                            match.key(1),
                            match.text(2),
                            clauses.token(Clause.WITH_TOKEN),
                            clauses.text(Clause.BECAUSE).orElse(""))),
            new Form(
                    "the limit LIMIT becomes NUMBER",
                    "the limit KEY_BYTES becomes 16",
                    Set.of(),
                    (match, clauses) -> new Act.SetLimit(limit(match.text(0)), match.number(1))),
            new Form(
                    "the feature level becomes NUMBER",
                    "the feature level becomes 1",
                    Set.of(),
                    (match, clauses) -> new Act.RaiseFeatureLevel(match.smallNumber(0))));

    private LockForms() {}

    static Act.Lock lock(Match match, Clauses clauses) {
        return lock(match, clauses, clauses.duration(Clause.WAITS_UP_TO, Command.WAIT_FOREVER));
    }

    private static Act.Lock lock(Match match, Clauses clauses, long waitMillis) {
        return new Act.Lock(
                LeaseForms.caller(match, clauses),
                Items.parse(match.values().get(1)),
                numbering(clauses),
                clauses.number(Clause.AS_OWNER).orElse(0),
                clauses.number(Clause.IN_THREAD).orElse(0),
                waitMillis,
                clauses.duration(Clause.FOR_AT_MOST, 0),
                clauses.has(Clause.LEASE_COVERS_WAIT),
                clauses.text(Clause.PURPOSE).orElse(""),
                clauses.text(Clause.METADATA).orElse(""));
    }

    private static Act.Upgrade upgrade(Match match, Clauses clauses, long waitMillis) {
        return new Act.Upgrade(
                LeaseForms.caller(match, clauses),
                match.key(1),
                clauses.token(Clause.WITH_TOKEN),
                numbering(clauses),
                clauses.number(Clause.IN_THREAD).orElse(0),
                waitMillis);
    }

    private static Act.Numbering numbering(Clauses clauses) {
        return new Act.Numbering(
                clauses.has(Clause.WITHOUT_NUMBER) ? OptionalLong.of(0) : clauses.number(Clause.AS_REQUEST),
                clauses.number(Clause.ACKNOWLEDGING),
                clauses.has(Clause.ANSWER_LOST));
    }

    private static Limit limit(String name) {
        for (Limit limit : Limit.values()) {
            if (limit.name().equals(name)) {
                return limit;
            }
        }
        Limit nearest = Arrays.stream(Limit.values())
                .min(Comparator.comparingInt(limit -> Spelling.distance(limit.name(), name)))
                .orElseThrow();
        throw new TranscriptException("there is no limit " + name + "; did you mean " + nearest + "? There are "
                + Arrays.toString(Limit.values()));
    }

    private static Set<Clause> with(Set<Clause> clauses, Clause one) {
        Set<Clause> more = EnumSet.copyOf(clauses);
        more.add(one);
        return more;
    }
}
