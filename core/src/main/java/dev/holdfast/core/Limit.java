package dev.holdfast.core;

/**
 * A bound on what clients may ask of the machine.
 *
 * <p>Limits are replicated state: every node reads the same value while applying, and a command
 * changes it. {@link #id} is what the codec writes, so constants may be reordered but never renumbered.
 */
public enum Limit {
    LEASES(1, 10_000_000, 1, 100_000_000),
    /** Ended leases that are remembered; a grant beyond it is refused so that none is forgotten early. */
    ENDED_LEASES(2, 5_000_000, 1, 100_000_000),
    TTL_MIN_MILLIS(3, 1_000, 1, 3_600_000),
    TTL_MAX_MILLIS(4, 86_400_000, 1_000, 2_592_000_000L),
    LOCKS_PER_LEASE(5, 1_000_000, 1, 100_000_000),
    WAITERS_PER_LEASE(6, 100_000, 1, 10_000_000),
    WAITERS_PER_KEY(7, 100_000, 1, 10_000_000),
    KEYS_PER_REQUEST(8, 64, 1, 1_024),
    KEY_BYTES(9, 512, 16, 1_024),
    PURPOSE_BYTES(10, 256, 0, 4_096),
    METADATA_BYTES(11, 4_096, 0, 65_536),
    CLIENT_ID_BYTES(12, 256, 16, 4_096),
    SEMAPHORE_PERMITS(13, 10_000, 1, 1_000_000),
    /** How far a request's sequence number may run ahead of what its client has acknowledged. */
    UNACKNOWLEDGED(14, 4_096, 1, 65_536),
    LOCK_DELAY_MILLIS(15, 60_000, 0, 3_600_000),
    /** What the machine adds to each lease beyond what the client is told. */
    LEASE_MARGIN_MILLIS(16, 50, 0, 10_000),
    /** How long the id of an ended lease is remembered. */
    TOMBSTONE_MILLIS(17, 600_000, 1_000, 86_400_000),
    /** How many events are kept for watches that resume and for the history of a key. */
    HISTORY_EVENTS(18, 65_536, 16, 4_194_304),
    /** How many ends, of deadlines and of leases, one entry may cause; the rest follow with the next entry. */
    ENDS_PER_ENTRY(19, 20_000, 1, 1_000_000),
    /** How many claims a deadlock check looks at, and how many steps an explanation tells, before it says that it stopped. */
    WALK_VISITS(20, 10_000, 16, 1_000_000),
    /** How many live requests one owner may have: each request of that owner is compared with them. */
    REQUESTS_PER_OWNER(21, 1_000, 1, 100_000),
    /** How many keys below the subtrees of a request may be in use when they are asked for: all are looked at. */
    SUBTREE_KEYS(22, 50_000, 1, 10_000_000),
    // For each principal and each tenant; see Quota. A tenant gets half of what there is in all.
    LEASES_PER_PRINCIPAL(23, 2_500_000, 1, 100_000_000),
    LEASES_PER_TENANT(24, 5_000_000, 1, 100_000_000),
    ENDED_LEASES_PER_PRINCIPAL(25, 1_250_000, 1, 100_000_000),
    ENDED_LEASES_PER_TENANT(26, 2_500_000, 1, 100_000_000),
    LOCKS_PER_PRINCIPAL(27, 2_500_000, 1, 100_000_000),
    LOCKS_PER_TENANT(28, 5_000_000, 1, 100_000_000),
    WAITERS_PER_PRINCIPAL(29, 200_000, 1, 10_000_000),
    WAITERS_PER_TENANT(30, 500_000, 1, 10_000_000),
    /** How many permits one request may ask for, over all its semaphores: each may be a range of its own. */
    PERMITS_PER_REQUEST(31, 10_000, 1, 100_000),
    /** How many bytes the events that are kept may take; whichever of this and their number is reached first counts. */
    HISTORY_BYTES(32, 64L << 20, 4_096, 16L << 30),
    /** How many bytes the unacknowledged answers of a lease may take before nothing more is done for it. */
    REMEMBERED_BYTES(33, 8L << 20, 512, 1L << 30),
    /** How many waiting requests may be granted in one entry; the rest follow with the next entry. */
    GRANTS_PER_ENTRY(34, 20_000, 1, 1_000_000),
    /** How many claims of waiting requests, and locks below or above them, one entry looks at to see who can be granted. */
    TRIES_PER_ENTRY(35, 100_000, 1, 10_000_000),
    REMEMBERED_BYTES_PER_PRINCIPAL(40, 256L << 20, 512, 1L << 40),
    REMEMBERED_BYTES_PER_TENANT(41, 512L << 20, 512, 1L << 40);

    private final int id;
    private final long initial;
    private final long lowest;
    private final long highest;

    Limit(int id, long initial, long lowest, long highest) {
        this.id = id;
        this.initial = initial;
        this.lowest = lowest;
        this.highest = highest;
    }

    public int id() {
        return id;
    }

    public long initial() {
        return initial;
    }

    public long lowest() {
        return lowest;
    }

    public long highest() {
        return highest;
    }
}
