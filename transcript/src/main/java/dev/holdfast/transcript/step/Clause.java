package dev.holdfast.transcript.step;

/** What may follow the main part of a line after a comma. */
enum Clause {
    LOCK_DELAY("lock-delay DURATION"),
    AS_PRINCIPAL("as principal PRINCIPAL"),
    UNDER_LEASE("under lease NUMBER"),
    WAITS_UP_TO("waits up to DURATION"),
    AS_REQUEST("as request NUMBER"),
    WITHOUT_NUMBER("without a request number"),
    ACKNOWLEDGING("acknowledging below NUMBER"),
    ANSWER_LOST("the answer is lost"),
    AS_OWNER("as owner NUMBER"),
    IN_THREAD("in thread NUMBER"),
    FOR_AT_MOST("for at most DURATION"),
    PURPOSE("purpose TEXT"),
    METADATA("metadata TEXT"),
    LEASE_COVERS_WAIT("the lease covers the wait"),
    WITH_TOKEN("with token TOKEN"),
    BECAUSE("because TEXT"),
    FIRST_RESTORE("first restore"),
    ABOVE_TOKEN("above token TOKEN"),
    WITHOUT_QUARANTINE("without quarantine"),
    QUARANTINE("quarantine DURATION"),
    AT_MOST("at most NUMBER"),
    FROM_KEY("from KEY"),
    FROM_REVISION("from revision NUMBER");

    private final String text;

    Clause(String text) {
        this.text = text;
    }

    Template template() {
        return new Template(text);
    }
}
