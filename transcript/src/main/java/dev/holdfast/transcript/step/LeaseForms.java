package dev.holdfast.transcript.step;

import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What can be said about leases. */
final class LeaseForms {
    private static final Set<Clause> OPENING = EnumSet.of(Clause.LOCK_DELAY, Clause.AS_PRINCIPAL);
    static final Set<Clause> CALLER = EnumSet.of(Clause.UNDER_LEASE, Clause.AS_PRINCIPAL);
    private static final Set<Clause> EXTENDING = EnumSet.of(Clause.AS_REQUEST, Clause.UNDER_LEASE, Clause.AS_PRINCIPAL);

    static final List<Form> ALL = List.of(
            new Form(
                    "NAME opens a lease for DURATION",
                    "alice opens a lease for 10s",
                    OPENING,
                    (match, clauses) -> open(match.text(0), OptionalLong.empty(), match.duration(1), clauses)),
            new Form(
                    "NAME opens lease NUMBER for DURATION",
                    "alice opens lease 7 for 10s",
                    OPENING,
                    (match, clauses) ->
                            open(match.text(0), OptionalLong.of(match.number(1)), match.duration(2), clauses)),
            new Form(
                    "NAME renews HER lease",
                    "alice renews her lease",
                    EnumSet.of(Clause.UNDER_LEASE),
                    (match, clauses) -> new Act.RenewLease(caller(match, clauses))),
            new Form(
                    "NAME extends HER lease by DURATION",
                    "alice extends her lease by 5s",
                    EXTENDING,
                    (match, clauses) -> extend(match.duration(2), 0, match, clauses)),
            new Form(
                    "NAME keeps HER lease for DURATION",
                    "alice keeps her lease for 30s",
                    EXTENDING,
                    (match, clauses) -> extend(0, match.duration(2), match, clauses)),
            new Form(
                    "NAME closes HER lease",
                    "alice closes her lease",
                    CALLER,
                    (match, clauses) -> new Act.CloseLease(caller(match, clauses))));

    private LeaseForms() {}

    static Act.Caller caller(Match match, Clauses clauses) {
        return new Act.Caller(match.text(0), clauses.number(Clause.UNDER_LEASE), clauses.text(Clause.AS_PRINCIPAL));
    }

    private static Act.ExtendLease extend(long byMillis, long ttlMillis, Match match, Clauses clauses) {
        return new Act.ExtendLease(caller(match, clauses), byMillis, ttlMillis, clauses.number(Clause.AS_REQUEST));
    }

    private static Act.OpenLease open(String name, OptionalLong lease, long ttlMillis, Clauses clauses) {
        return new Act.OpenLease(
                name, lease, clauses.text(Clause.AS_PRINCIPAL), ttlMillis, clauses.duration(Clause.LOCK_DELAY, 0));
    }
}
