package dev.holdfast.core.model;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.command.Command.SetLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What stays the same through one seed: a few keys, lease ids, principals, and the limits it starts with. */
final class World {
    /** In byte order {@code a.x} lies between {@code a} and {@code a/b}: a trap for whoever scans a range. */
    private static final List<LockKey> PLAIN = keys("a", "a/b", "a/b/c", "a/d", "e", "f", "a.x", "ab", "a/", "a//b");

    private static final List<LockKey> SEMAPHORES = keys("s", "a/s", "a/b/s");
    /** Two tenants of which one's name begins like the other's, credentials, one without a tenant, and nobody. */
    private static final List<String> PRINCIPALS =
            List.of("t/ann", "t/bob", "", "t/ann#1", "t2/ann", "#1", "t/ann#2", "/t", "ann");
    /** Some are negative: lease ids are ordered as unsigned numbers. */
    private static final long[] LEASES = {1, 2, 3, 0x10, -1, -2, Long.MIN_VALUE, Long.MAX_VALUE, 0x77, -0x77, 5};

    private final Chance chance;
    private final List<LockKey> plain = new ArrayList<>();
    private final List<LockKey> semaphores = new ArrayList<>();
    private final int capacity;
    private final int leases;
    private final boolean calm;
    private long freshLeases;

    World(Chance chance) {
        this.chance = chance;
        int size = chance.below(5) + 2;
        for (int i = 0; i < size; i++) {
            LockKey key = PLAIN.get(chance.percent(85) ? chance.below(6) : chance.below(PLAIN.size()));
            if (!plain.contains(key)) {
                plain.add(key);
            }
        }
        semaphores.add(chance.pick(SEMAPHORES));
        semaphores.add(chance.pick(SEMAPHORES));
        // Large ones now and then, so that what is free of them lies in several places.
        capacity = chance.percent(25) ? (int) chance.between(5, 12) : chance.below(4) + 1;
        leases = chance.below(5) + 2;
        calm = chance.percent(40);
    }

    private static List<LockKey> keys(String... names) {
        return Stream.of(names).map(LockKey::of).toList();
    }

    /** How many leases are alive at once, roughly. */
    int leases() {
        return leases;
    }

    /** Whether little time passes, so that queues grow long. */
    boolean isCalm() {
        return calm;
    }

    /** For a lease that is to start: mostly one that was never used. */
    LeaseId newLeaseId() {
        if (chance.percent(25)) {
            return leaseId();
        }
        freshLeases++;
        return new LeaseId(freshLeases % 2 == 0 ? 0x100 + freshLeases : -0x100 - freshLeases);
    }

    LeaseId leaseId() {
        return new LeaseId(LEASES[chance.below(LEASES.length)]);
    }

    /** Mostly the same for one id, so that ids that come back belong to whom they did. */
    String principalOf(LeaseId id) {
        return chance.percent(97)
                ? PRINCIPALS.get((int) Long.remainderUnsigned(id.value(), PRINCIPALS.size()))
                : principal();
    }

    String principal() {
        return chance.pick(PRINCIPALS);
    }

    String clientId() {
        return chance.percent(70) ? "c" : "d";
    }

    LockKey key() {
        return chance.percent(80) ? chance.pick(plain) : chance.pick(semaphores);
    }

    Item item() {
        if (chance.percent(22)) {
            int asked = chance.percent(94) ? capacity : chance.below(5) + 1;
            return Item.permits(chance.pick(semaphores), asked, chance.below(asked) + 1);
        }
        LockKey key = chance.percent(98) ? chance.pick(plain) : key();
        Mode mode = chance.percent(55) ? Mode.EXCLUSIVE : Mode.SHARED;
        return new Item(key, chance.percent(25) ? Kind.SUBTREE : Kind.PLAIN, mode, 0, 0);
    }

    /** Small limits make the edges be reached within a few steps. */
    List<Command> initialLimits() {
        List<Command> limits = new ArrayList<>();
        set(limits, 96, Limit.TTL_MIN_MILLIS, 20);
        set(limits, 50, Limit.ENDS_PER_ENTRY, chance.between(1, 3));
        set(limits, 50, Limit.GRANTS_PER_ENTRY, chance.between(1, 2));
        set(limits, 20, Limit.WAITERS_PER_KEY, 2);
        set(limits, 15, Limit.WAITERS_PER_LEASE, 2);
        set(limits, 25, Limit.UNACKNOWLEDGED, 3);
        set(limits, 80, Limit.HISTORY_EVENTS, chance.between(16, 40));
        set(limits, 25, Limit.HISTORY_BYTES, chance.between(4_096, 6_000));
        set(limits, 20, Limit.REMEMBERED_BYTES, chance.between(512, 1_500));
        set(limits, 10, Limit.REMEMBERED_BYTES_PER_PRINCIPAL, chance.between(512, 2_000));
        set(limits, 10, Limit.REMEMBERED_BYTES_PER_TENANT, chance.between(512, 3_000));
        set(limits, 15, Limit.LOCKS_PER_LEASE, 4);
        set(limits, 60, Limit.TOMBSTONE_MILLIS, 1000);
        set(limits, 10, Limit.LEASES, 3);
        set(limits, 8, Limit.ENDED_LEASES, 3);
        set(limits, 12, Limit.KEYS_PER_REQUEST, 2);
        set(limits, 20, Limit.KEY_BYTES, 16);
        set(limits, 15, Limit.PURPOSE_BYTES, 8);
        set(limits, 15, Limit.METADATA_BYTES, 4);
        set(limits, 15, Limit.CLIENT_ID_BYTES, 16);
        set(limits, 10, Limit.SEMAPHORE_PERMITS, 2);
        set(limits, 10, Limit.PERMITS_PER_REQUEST, chance.between(1, 4));
        set(limits, 15, Limit.LOCK_DELAY_MILLIS, 300);
        set(limits, 40, Limit.LEASE_MARGIN_MILLIS, chance.between(0, 40));
        set(limits, 12, Limit.TTL_MAX_MILLIS, 1000);
        set(limits, 15, Limit.REQUESTS_PER_OWNER, 1);
        set(limits, 15, Limit.SUBTREE_KEYS, 2);
        set(limits, 10, Limit.LEASES_PER_PRINCIPAL, chance.between(1, 2));
        set(limits, 10, Limit.LEASES_PER_TENANT, chance.between(1, 3));
        set(limits, 8, Limit.ENDED_LEASES_PER_PRINCIPAL, chance.between(1, 2));
        set(limits, 8, Limit.ENDED_LEASES_PER_TENANT, chance.between(1, 3));
        set(limits, 20, Limit.LOCKS_PER_PRINCIPAL, chance.between(2, 5));
        set(limits, 20, Limit.LOCKS_PER_TENANT, chance.between(2, 6));
        set(limits, 15, Limit.WAITERS_PER_PRINCIPAL, chance.between(1, 2));
        set(limits, 15, Limit.WAITERS_PER_TENANT, chance.between(1, 3));
        return limits;
    }

    private void set(List<Command> limits, int likelihood, Limit limit, long value) {
        if (chance.percent(likelihood)) {
            limits.add(new SetLimit(limit, value));
        }
    }

    /**
     * A change on the way; now and then out of range. Never how much a deadlock check or a grant pass looks at, which
     * the model does not know.
     */
    SetLimit anotherLimit() {
        if (chance.percent(40)) {
            Limit limit = chance.pick(List.of(Limit.values()));
            return new SetLimit(limit, chance.percent(50) ? limit.lowest() - 1 : limit.highest() + 1);
        }
        return chance.pick(List.of(
                new SetLimit(Limit.HISTORY_EVENTS, chance.between(16, 60)),
                new SetLimit(Limit.HISTORY_BYTES, chance.between(4_096, 20_000)),
                new SetLimit(Limit.REMEMBERED_BYTES, chance.between(512, 100_000)),
                new SetLimit(Limit.ENDS_PER_ENTRY, chance.between(1, 20)),
                new SetLimit(Limit.GRANTS_PER_ENTRY, chance.between(1, 5)),
                new SetLimit(Limit.LEASE_MARGIN_MILLIS, chance.between(0, 60)),
                new SetLimit(Limit.UNACKNOWLEDGED, chance.between(2, 10)),
                new SetLimit(Limit.LOCKS_PER_LEASE, chance.between(3, 12)),
                new SetLimit(Limit.LOCKS_PER_TENANT, chance.between(3, 12)),
                new SetLimit(Limit.WAITERS_PER_TENANT, chance.between(1, 5)),
                new SetLimit(Limit.TOMBSTONE_MILLIS, chance.between(1000, 3000))));
    }
}
