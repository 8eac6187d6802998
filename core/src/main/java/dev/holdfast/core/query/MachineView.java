package dev.holdfast.core.query;

import dev.holdfast.core.Budget;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Limits;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.handler.Handlers;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.State;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The machine as others see it: everything that can be asked of it, and nothing that changes it.
 *
 * <p>It answers from the state as it is now, in values that do not change with it. Like the machine it wants one
 * caller at a time, and keeps it from applying entries meanwhile: so each answer has a {@link Budget}, and says where to
 * go on, or that it is not complete, if there is more to tell than that allows.
 */
public final class MachineView {
    private final State state;
    private final Handlers handlers;
    private final Queries queries;

    public MachineView(State state, Handlers handlers) {
        this.state = state;
        this.handlers = handlers;
        this.queries = new Queries(state);
    }

    /** The cluster time. */
    public long now() {
        return state.now();
    }

    public long revision() {
        return state.revision();
    }

    public long epoch() {
        return state.epoch();
    }

    public int featureLevel() {
        return state.featureLevel();
    }

    public Limits limits() {
        return state.limits();
    }

    public long limit(Limit limit) {
        return state.limit(limit);
    }

    /** Cluster time before which nothing is granted; in the past if there is no quarantine. */
    public long quarantineEndMillis() {
        return state.quarantineEndMillis();
    }

    public boolean isQuarantined() {
        return state.isQuarantined();
    }

    /**
     * How long a lease of this state, or one that was started or extended later under the same limits, can last: what a
     * new cluster must wait for if it cannot know what happened after its backup.
     */
    public long longestLeaseMillis() {
        // A lease of before the limit was lowered may be longer.
        return Math.max(state.limit(Limit.TTL_MAX_MILLIS), longestLiveLeaseMillis())
                + state.limit(Limit.LEASE_MARGIN_MILLIS);
    }

    /** How long the leases of this state last if their clients renew them now; 0 if there is none. */
    public long longestLiveLeaseMillis() {
        long[] longest = {0};
        state.leases().visitFrom(new byte[0], lease -> {
            longest[0] = Math.max(longest[0], Math.max(lease.grantedTtlMillis(), lease.endMillis() - state.now()));
            return true;
        });
        return longest[0];
    }

    /** How many leases there are. */
    public int leaseCount() {
        return state.leases().size();
    }

    /** Leases that have ended so recently that their ids cannot be used again yet. */
    public int endedLeaseCount() {
        return state.tombstones().size();
    }

    /** How many locks are in use. */
    public int lockCount() {
        return state.locks().size();
    }

    /** How many requests wait. Looks at every lock. */
    public int countWaiting() {
        return queries.countWaiting();
    }

    /** The oldest revision whose event is kept; one above the newest if none is. */
    public long oldestRevision() {
        return state.history().floor();
    }

    /** The event of a revision that is kept. */
    public Event event(long revision) {
        return state.history().get(revision);
    }

    /** The lock, if it is in use. */
    public Optional<LockView> lock(LockKey key) {
        return queries.lock(key);
    }

    /** Locks in use whose keys start with a prefix, in key order, from {@code from} up. */
    public Page<LockView, LockKey> locks(String prefix, Optional<LockKey> from, int most) {
        return locks(List.of(prefix), from, most);
    }

    /** Locks in use whose keys start with one of several prefixes, which are in order and none of which starts with another. */
    public Page<LockView, LockKey> locks(List<String> prefixes, Optional<LockKey> from, int most) {
        return queries.locks(prefixes, from, most);
    }

    /**
     * Events of a key, newest first, of those that are kept.
     *
     * @param before only those below this revision; 0 for all
     */
    public Page<Event, Long> history(LockKey key, long before, int most) {
        return queries.history(key, before, most);
    }

    /** A principal's lease, with how long it lives and what it holds and awaits. */
    public Optional<LeaseView> lease(LeaseId id, String principal) {
        return queries.lease(id, principal);
    }

    /** What a session that takes up a principal's lease needs to know. Looks at everything that the lease holds. */
    public Optional<Attachment> attachment(LeaseId id, String principal) {
        return queries.attachment(id, principal);
    }

    /**
     * A principal's leases, by id, from {@code from} up, without what they hold and await; with a client id, only that
     * client's.
     */
    public Page<LeaseView, LeaseId> leases(
            String principal, Optional<String> clientId, Optional<LeaseId> from, int most) {
        return queries.leases(principal, clientId, from, most);
    }

    /**
     * The leases that hold a key, those that wait for it behind them; none if there are more than so many.
     *
     * @param most how many look-ups the answer is worth
     */
    public Optional<List<LeaseId>> leasesAt(LockKey key, int most) {
        return queries.leasesAt(key, most);
    }

    /** The grant of a key that has this token, if it is held. */
    public Optional<GrantView> grant(LockKey key, long token) {
        return queries.grant(key, token);
    }

    /** How long the lease of a grant lives unless renewed; empty if the grant is not held. */
    public OptionalLong grantLeftMillis(LockKey key, long token) {
        return queries.grantLeftMillis(key, token);
    }

    /** How the grant with this token ended; empty if it has not, or if the history has forgotten. */
    public Optional<GrantEnd> grantEnd(long token) {
        return queries.grantEnd(token);
    }

    /**
     * Why the requests of a principal's lease wait, oldest first; empty if none does.
     *
     * @param seq only this request; 0 for all of them
     * @param from only requests from this revision on, which a page named as its next
     */
    public Page<Explanation, Long> explain(LeaseId lease, String principal, long seq, long from) {
        return new Explain(state).explain(lease, principal, seq, from);
    }

    /** Why the first of those who wait for a key do so, in the order of the queue; the next is the next in line. */
    public Page<Explanation, Long> explain(LockKey key, int most) {
        return new Explain(state).explain(key, most);
    }

    /** What would become of an acquire now. */
    public Plan plan(Command.Acquire command) {
        return handlers.plan(command);
    }

    /** What would become of an acquire now, if its lease were started first. */
    public Plan plan(Command.GrantLease start, Command.Acquire command) {
        return handlers.plan(start, command);
    }

    /** Whether the lease lives and has never been asked this; a request without a number is always new. */
    public boolean isNew(LeaseId id, long seq) {
        Lease lease = state.openLease(id);
        return lease != null
                && (seq == 0
                        || (seq >= lease.ackedBelow() && lease.request(seq) == null && lease.finished(seq) == null));
    }

    /** The answer that is kept for a request of a lease. */
    public Optional<Result.Final> finished(LeaseId id, long seq) {
        Lease lease = state.openLease(id);
        return lease == null ? Optional.empty() : Optional.ofNullable(lease.finished(seq));
    }

    /** The cluster time at which a lease ends unless it is renewed; empty if there is no such lease. */
    public OptionalLong leaseEndMillis(LeaseId id) {
        Lease lease = state.openLease(id);
        return lease == null ? OptionalLong.empty() : OptionalLong.of(lease.endMillis());
    }

    /** The same of a principal's lease. */
    public OptionalLong leaseEndMillis(LeaseId id, String principal) {
        Lease lease = state.openLease(id);
        return lease == null || !lease.principal().equals(principal)
                ? OptionalLong.empty()
                : OptionalLong.of(lease.endMillis());
    }

    /** The TTL of a principal's lease; empty if there is no such lease. */
    public OptionalLong leaseTtlMillis(LeaseId id, String principal) {
        Lease lease = state.openLease(id);
        return lease == null || !lease.principal().equals(principal)
                ? OptionalLong.empty()
                : OptionalLong.of(lease.grantedTtlMillis());
    }

    /** Whether a lease of this id has ended so recently that the id cannot be used again yet. */
    public boolean hasEnded(LeaseId id) {
        Lease lease = state.lease(id);
        return state.tombstones().get(id.value()) != null || (lease != null && lease.ending() != null);
    }
}
