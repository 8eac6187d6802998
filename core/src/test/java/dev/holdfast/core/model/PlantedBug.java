package dev.holdfast.core.model;

/** A rule that the model can be told to break, so that the comparison shows that it would notice. */
enum PlantedBug {
    DEAD_WAITER_GRANTED("a lease that ends gives its locks back before its waiters leave, so one of them is granted"),
    DOOMED_LEASE_GRANTED("a waiter is granted although its lease is due and only waits for its turn to end"),
    DOOMED_WAIT_GRANTED("a waiter is granted although its wait is due and only waits for its turn to end"),
    DOOMED_LEASE_RENEWED("a renewal saves a lease that was due before the entry"),
    TOKEN_FROM_ENQUEUE("the token is the revision of the enqueue instead of the grant's"),
    READERS_SHARE_TOKEN("readers that are granted one after the other get one token"),
    UPGRADE_KEEPS_TOKEN("an upgrade keeps the old token"),
    LEASE_EXPIRES_EARLY("a lease expires one tick early"),
    TIMEOUT_LATE("a wait times out one tick late"),
    RETRY_EXECUTED_AGAIN("a retried acquire whose grant lives is executed again"),
    FINISHED_EXECUTED_AGAIN("a retried request with a finished answer is executed again"),
    EXTENDED_AGAIN("an extension with a request id extends each time it comes"),
    TTL_SHORTENS("a lease that is to last for some time from now ends sooner than it would have"),
    FORGOTTEN_EXECUTED_AGAIN("a request below what is acknowledged is executed"),
    EARLY_CANCEL_FORGOTTEN("a cancel that comes before its acquire is not recorded"),
    READER_OVERTAKES("a shared request passes an exclusive one that waits"),
    SMALL_PERMITS_OVERTAKE("a small request for permits passes a big one that waits"),
    STALE_STAMP_MOVES_CLOCK("the stamp of another term's clock counts"),
    RELEASE_FREES_NEWER_GRANT("a release with an old token frees the lease's newer grant of the key"),
    CANCELLED_SET_WAKES_NOBODY("a waiting set that is cancelled wakes nobody behind it"),
    DOWNGRADE_WAKES_NOBODY("a downgrade wakes no reader"),
    DESCRIBE_AGAIN_IS_A_CHANGE("a grant that is described as it is already changes once more"),
    DESCRIBE_CHANGES_ONE_KEY("describing a grant of several keys changes the record of the first only"),
    DESCRIBE_WITHOUT_REVISION("describing a grant takes no revision"),
    DEADLOCK_IGNORES_WAITERS("the deadlock check looks at holders only, not at older waiters"),
    DEADLOCK_IGNORES_PERMITS("the deadlock check takes every permit for free"),
    LOCK_DELAY_FORGOTTEN("the keys of an expired lease are free at once in spite of its lock-delay"),
    LEAVE_WITHOUT_REVISION("leaving the queue takes no revision"),
    SUBTREE_IGNORES_BELOW("a subtree request does not see what is held below its key"),
    ANCESTORS_IGNORED("a request does not see a subtree lock above its key"),
    UPGRADE_WAITS_IN_LINE("an upgrade ranks behind older waiters"),
    SECOND_UPGRADE_QUEUED("a second upgrade on a key is enqueued"),
    HIGHEST_SLOT("a permit gets the highest free slot"),
    LEASE_NOT_RESET_AT_GRANT("a lease that covered a wait is not cut back when the wait ends"),
    BUDGET_IGNORED("one entry ends everything that is due"),
    GRANTS_WITHOUT_BOUND("one entry grants all that has become grantable"),
    GRANTS_COUNTED_BY_COMMAND("each command of an entry may have as many waiters granted as all together"),
    PASS_FORGOTTEN("what a grant pass left over is not granted until something ends"),
    NEWCOMER_OVERTAKES_PASS("a newcomer does not see waiters whose turn in an unfinished pass is yet to come"),
    SUBTREES_COUNT_ALONE("each subtree of a request may have as many keys below it as all together"),
    REVOKE_ENDS_ALL("a revoke ends all that the lease holds, however much the entry has ended already"),
    CLOSED_LEASE_SERVES("a revoked lease of which something is left still serves its client and is granted locks"),
    CLOSED_LEASE_KEEPS_ANSWERS("a lease that ends a part at a time keeps answers that nobody can ask for"),
    PORTION_BY_AGE("a lease that ends a part at a time gives old locks back before its waiters leave"),
    CLOSED_LEASE_IS_WAITED_FOR("the deadlock check waits for what is left of a closed lease as if it stayed"),
    TOMBSTONE_FORGOTTEN_EARLY("an ended lease is forgotten one millisecond early"),
    PRINCIPAL_IGNORED("a lease serves other principals"),
    EPOCH_OF_TOKEN_IGNORED("a restore does not look at the epoch of the highest token seen"),
    QUARANTINE_IGNORED("grants are made during the quarantine after a restore"),
    QUARANTINE_OF_BACKUP_ONLY("the quarantine forgets leases that were taken after the backup"),
    COVERED_WAIT_UNBOUNDED("a lease that covers a wait may last longer than any lease may"),
    ENQUEUE_COUNTS_AS_VERSION("an enqueue raises the version of the lock"),
    CREDENTIAL_IS_A_PRINCIPAL("each credential of a principal has quotas of its own"),
    TENANT_IS_A_PREFIX("a tenant's quotas count all whose names begin like its own"),
    NOBODY_HAS_A_QUOTA("those without a name share the quotas of one principal"),
    LINGERING_COUNTS("a lost lock counts until its lock-delay is over"),
    UPGRADE_DOES_NOT_COUNT("what a waiting upgrade asks for does not count"),
    HISTORY_BYTES_IGNORED("the history is bounded by the number of its events alone"),
    CANCEL_NEEDS_ROOM("a cancel is refused where so much is remembered that an acquire would be"),
    REMEMBERED_WITHOUT_BOUND("answers are remembered however large they are together");

    private final String description;

    PlantedBug(String description) {
        this.description = description;
    }

    @Override
    public String toString() {
        return name() + ": " + description;
    }
}
