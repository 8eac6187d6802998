package dev.holdfast.transcript.step;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What can be looked at: locks, queues, reasons, history, watches; and stores that check tokens. */
final class LookingForms {
    private static final Set<Clause> PAGE = EnumSet.of(Clause.AT_MOST, Clause.FROM_KEY);
    private static final Set<Clause> RESUMING = EnumSet.of(Clause.FROM_REVISION);

    static final List<Form> ALL = List.of(
            new Form("show the clock", "show the clock", Set.of(), (match, clauses) -> new Step.ShowClock()),
            new Form("show KEY", "show orders/42", Set.of(), (match, clauses) -> new Step.Show(match.key(0))),
            new Form("list everything", "list everything", PAGE, (match, clauses) -> list("", clauses)),
            new Form("list PREFIX", "list orders/", PAGE, (match, clauses) -> list(match.text(0), clauses)),
            new Form(
                    "explain NAME",
                    "explain bob",
                    Set.of(),
                    (match, clauses) -> new Step.Explain(match.text(0), OptionalLong.empty())),
            new Form(
                    "explain request NUMBER of NAME",
                    "explain request 3 of bob",
                    Set.of(),
                    (match, clauses) -> new Step.Explain(match.text(1), OptionalLong.of(match.number(0)))),
            new Form(
                    "plan NAME locks ITEMS",
                    "plan bob locks orders/42",
                    LockForms.LOCKING,
                    (match, clauses) -> new Step.PlanLock(LockForms.lock(match, clauses))),
            new Form(
                    "history KEY",
                    "history orders/42",
                    EnumSet.of(Clause.AT_MOST),
                    (match, clauses) -> new Step.HistoryOf(match.key(0), most(clauses))),
            new Form(
                    "leases of NAME",
                    "leases of alice",
                    Set.of(),
                    (match, clauses) -> new Step.LeasesOf(match.text(0))),
            new Form(
                    "NAME watches everything",
                    "wendy watches everything",
                    RESUMING,
                    (match, clauses) -> watch(match.text(0), "", true, clauses)),
            new Form(
                    "NAME watches everything under PREFIX",
                    "wendy watches everything under orders/",
                    RESUMING,
                    (match, clauses) -> watch(match.text(0), match.text(1), true, clauses)),
            new Form(
                    "NAME watches KEY",
                    "wendy watches orders/42",
                    RESUMING,
                    (match, clauses) -> watch(match.text(0), match.text(1), false, clauses)),
            new Form(
                    "NAME stops watching",
                    "wendy stops watching",
                    Set.of(),
                    (match, clauses) -> new Step.StopWatching(match.text(0))),
            new Form(
                    "NAME writes VALUE to NAME with token TOKEN",
                    "alice writes 5 to accounts with token 2",
                    Set.of(),
                    (match, clauses) ->
                            new Step.Access(match.text(0), match.text(2), Optional.of(match.text(1)), match.token(3))),
            new Form(
                    "NAME reads NAME with token TOKEN",
                    "alice reads accounts with token 2",
                    Set.of(),
                    (match, clauses) ->
                            new Step.Access(match.text(0), match.text(1), Optional.empty(), match.token(2))));

    private LookingForms() {}

    private static Step list(String prefix, Clauses clauses) {
        return new Step.ListLocks(
                prefix, most(clauses), clauses.text(Clause.FROM_KEY).map(Match::keyOf));
    }

    private static int most(Clauses clauses) {
        return (int) Math.min(
                Integer.MAX_VALUE, Math.max(0, clauses.number(Clause.AT_MOST).orElse(0)));
    }

    private static Step watch(String name, String path, boolean prefix, Clauses clauses) {
        return new Step.Watch(name, path, prefix, clauses.number(Clause.FROM_REVISION));
    }
}
