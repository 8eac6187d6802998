package dev.holdfast.core.state;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Limits;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Quota;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.event.History;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.index.LongIndex;
import dev.holdfast.core.index.RadixTree;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.time.Deadlines;
import dev.holdfast.core.time.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything the machine knows. Others read it; {@link Transitions} changes it. */
public final class State {
    long epoch;
    long revision;
    long now;
    long wallMillis;
    int featureLevel = 1;
    long quarantineEndMillis;
    Limits limits = Limits.INITIAL;

    final RadixTree<Lease> leases = new RadixTree<>();
    final RadixTree<Lock> locks = new RadixTree<>();
    final Accounts accounts = new Accounts();
    final Tombstones tombstones;
    final Deadlines deadlines = new Deadlines();
    final History history = new History(limits.get(Limit.HISTORY_EVENTS), limits.get(Limit.HISTORY_BYTES));
    final Timer quarantine = new QuarantineEnd();

    /** The same leases by number: a renewal needs no order, only speed. */
    private final LongIndex<Lease> leasesByNumber;

    private final KeyedHash hash;

    /** Never iterated, so its order does not matter. */
    final Map<Actor.Name, Actor> actors = new HashMap<>();

    /** Subtree claims in all; while it is 0, keys need not look above or below themselves. */
    int subtreeClaims;

    final Untried untried = new Untried(this);

    /**
     * Locks that nobody holds or awaits any more, so that they have no record, but on which requests are parked that
     * are still to be tried: a subtree above or below made them wait here.
     */
    final RadixTree<Lock> unclaimed = new RadixTree<>();

    /** Events of the entry that is being applied. */
    List<Event> events = new ArrayList<>();

    int snapshots;

    @Nullable
    Preserver preserver;

    public State(KeyedHash hash) {
        this.hash = hash;
        this.leasesByNumber = new LongIndex<>(Lease::order, hash);
        this.tombstones = new Tombstones(accounts, hash);
    }

    private static final class QuarantineEnd extends Timer {
        @Override
        public What what() {
            return What.QUARANTINE;
        }

        @Override
        public long order() {
            return 0;
        }
    }

    /** A snapshot in progress, which wants to see things before they change. */
    public interface Preserver {
        void beforeChange(Lock lock);

        void beforeChange(Request request);

        void beforeChange(Lease lease);
    }

    public long epoch() {
        return epoch;
    }

    public long revision() {
        return revision;
    }

    public long now() {
        return now;
    }

    public int featureLevel() {
        return featureLevel;
    }

    public long quarantineEndMillis() {
        return quarantineEndMillis;
    }

    public boolean isQuarantined() {
        return quarantineEndMillis > 0;
    }

    public Limits limits() {
        return limits;
    }

    public long limit(Limit limit) {
        return limits.get(limit);
    }

    /** Not of the state, which is the same on every node, but of this process. */
    public KeyedHash hash() {
        return hash;
    }

    public RadixTree<Lease> leases() {
        return leases;
    }

    public RadixTree<Lock> locks() {
        return locks;
    }

    public Accounts accounts() {
        return accounts;
    }

    public Tombstones tombstones() {
        return tombstones;
    }

    public History history() {
        return history;
    }

    public Deadlines deadlines() {
        return deadlines;
    }

    public int subtreeClaims() {
        return subtreeClaims;
    }

    public @Nullable Lease lease(LeaseId id) {
        return leasesByNumber.get(id.value());
    }

    /** The lease, unless it is closed and only waits for what it holds to end. */
    public @Nullable Lease openLease(LeaseId id) {
        Lease lease = lease(id);
        return lease == null || lease.ending != null ? null : lease;
    }

    public @Nullable Lease lease(long number) {
        return leasesByNumber.get(number);
    }

    void add(Lease lease) {
        leases.add(lease);
        leasesByNumber.add(lease);
        lease.account.add(Quota.LEASES, 1);
    }

    void remove(Lease lease) {
        leases.remove(lease);
        leasesByNumber.remove(lease.order());
        lease.account.add(Quota.LEASES, -1);
        lease.countRemembered(-lease.rememberedBytes());
    }

    public @Nullable Lock lock(LockKey key) {
        return locks.get(key.utf8());
    }

    public @Nullable Actor actor(Actor.Name name) {
        return actors.get(name);
    }

    public FencingToken tokenOf(Request grant) {
        return FencingToken.of(epoch, grant.revision);
    }

    /** Who is in the way with this claim, as others are told. */
    public Result.Blocker blocker(Claim claim) {
        Request request = claim.request();
        long token = request.waiting == null ? tokenOf(request).value() : 0;
        return new Result.Blocker(claim.key(), request.lease.clientId, token);
    }

    /** The highest token that can have been handed out. */
    public long highestToken() {
        return epoch << FencingToken.REVISION_BITS | revision;
    }

    /** The locks that the grant pass is to look at. */
    public Untried untried() {
        return untried;
    }

    /** The lock with this key, recorded or not; a new one if there is none. */
    Lock lockOrNew(LockKey key) {
        Lock lock = lock(key);
        if (lock == null) {
            lock = unclaimed.get(key.utf8());
        }
        return lock == null ? new Lock(key) : lock;
    }

    /** Starts a snapshot: from now on the preserver is told of every change before it is made. */
    public int startPreserving(Preserver by) {
        if (preserver != null) {
            throw new IllegalStateException("a snapshot is in progress");
        }
        preserver = by;
        return ++snapshots;
    }

    /** Tells a snapshot in progress before a lock that has a record changes. */
    void touch(Lock lock) {
        if (preserver != null && lock.isRecorded()) {
            preserver.beforeChange(lock);
        }
    }

    public void stopPreserving() {
        preserver = null;
    }
}
