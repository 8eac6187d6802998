package dev.holdfast.core.model;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.command.Command.Acquire;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.result.Result.Refused;
import java.util.List;
import java.util.Optional;

/** The section "Acquire", from its step 1 on; upgrades join at step 5. */
final class NaiveAcquire {
    private static final long LONGEST_MILLIS = 1L << 42;

    private final NaiveState state;
    private final NaiveRules rules;
    private final NaiveTransitions transitions;
    private final NaiveQuotas quotas;

    NaiveAcquire(NaiveState state, NaiveRules rules, NaiveTransitions transitions) {
        this.state = state;
        this.rules = rules;
        this.transitions = transitions;
        this.quotas = new NaiveQuotas(state);
    }

    Result execute(NaiveLease lease, Acquire asked) {
        List<Item> items = NaiveRequest.sorted(asked.items());
        Optional<? extends Result> answer = checkIdentity(asked)
                .or(() -> checkItems(items))
                .or(() -> checkRest(asked))
                .or(() -> checkQuota(lease, items))
                .or(() -> checkSubtrees(items))
                .or(() -> checkKinds(items));
        if (answer.isPresent()) {
            return answer.get();
        }
        Optional<Result> reentrant = asked.seq() == 0
                ? reenterWithoutId(lease, items.get(0))
                : asked.owner() == 0 ? Optional.empty() : reenterAsOwner(lease, asked.owner(), items);
        if (reentrant.isPresent()) {
            return reentrant.get();
        }
        long own = state.live(lease).stream()
                .filter(request -> request.owner == asked.owner() && !request.isUpgrade())
                .count();
        if (asked.owner() != 0 && own >= state.limit(Limit.REQUESTS_PER_OWNER)) {
            return quotaExceeded(Limit.REQUESTS_PER_OWNER, own + 1).orElseThrow();
        }
        NaiveRequest request = new NaiveRequest(
                lease, asked.seq(), items, asked.owner(), asked.actor(), asked.purpose(), asked.metadata(), null);
        request.maxHoldMillis = asked.maxHoldMillis();
        request.leaseCoversWait = asked.leaseCoversWait();
        return decide(request, asked.waitMillis());
    }

    private static Optional<Refused> invalid(String field, long limit, long actual) {
        return Optional.of(new Refused(Refusal.INVALID_ARGUMENT, field, limit, actual));
    }

    private static Optional<Refused> invalid(String field) {
        return invalid(field, 0, 0);
    }

    private Optional<Refused> quotaExceeded(Limit limit, long actual) {
        return Optional.of(new Refused(Refusal.QUOTA_EXCEEDED, limit.name(), state.limit(limit), actual));
    }

    private static Optional<Refused> checkIdentity(Acquire asked) {
        if (asked.seq() == 0 && asked.items().size() != 1) {
            return invalid("seq");
        }
        return asked.seq() == 0 && asked.owner() != 0 ? invalid("owner") : Optional.empty();
    }

    private Optional<Refused> checkItems(List<Item> items) {
        if (items.isEmpty()) {
            return invalid("items", 1, 0);
        }
        if (items.size() > state.limit(Limit.KEYS_PER_REQUEST)) {
            return quotaExceeded(Limit.KEYS_PER_REQUEST, items.size());
        }
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            if (item.key().length() > state.limit(Limit.KEY_BYTES)) {
                return invalid("key", state.limit(Limit.KEY_BYTES), item.key().length());
            }
            if (i > 0 && items.get(i - 1).key().equals(item.key())) {
                return invalid("items");
            }
            Optional<Refused> counts = checkCounts(item);
            if (counts.isPresent()) {
                return counts;
            }
        }
        long permits = items.stream().mapToLong(Item::count).sum();
        return permits > state.limit(Limit.PERMITS_PER_REQUEST)
                ? quotaExceeded(Limit.PERMITS_PER_REQUEST, permits)
                : Optional.empty();
    }

    private Optional<Refused> checkCounts(Item item) {
        if (item.kind() != Kind.PERMITS) {
            return item.capacity() != 0 || item.count() != 0 ? invalid("capacity") : Optional.empty();
        }
        if (item.mode() != Mode.EXCLUSIVE) {
            return invalid("mode");
        }
        long most = state.limit(Limit.SEMAPHORE_PERMITS);
        if (item.capacity() < 1 || item.capacity() > most) {
            return invalid("capacity", most, item.capacity());
        }
        if (item.count() < 1 || item.count() > item.capacity()) {
            return invalid("count", item.capacity(), item.count());
        }
        return Optional.empty();
    }

    static Optional<Refused> checkWait(long waitMillis) {
        return waitMillis < Command.WAIT_FOREVER || waitMillis > LONGEST_MILLIS
                ? invalid("waitMillis", LONGEST_MILLIS, waitMillis)
                : Optional.empty();
    }

    private Optional<Refused> checkRest(Acquire asked) {
        Optional<Refused> wait = checkWait(asked.waitMillis());
        if (wait.isPresent()) {
            return wait;
        }
        if (asked.maxHoldMillis() < 0 || asked.maxHoldMillis() > LONGEST_MILLIS) {
            return invalid("maxHoldMillis", LONGEST_MILLIS, asked.maxHoldMillis());
        }
        if (asked.leaseCoversWait() && asked.waitMillis() == Command.WAIT_FOREVER) {
            return invalid("leaseCoversWait");
        }
        int purposeBytes = NaiveLeaseCommands.bytes(asked.purpose());
        if (purposeBytes > state.limit(Limit.PURPOSE_BYTES)) {
            return invalid("purpose", state.limit(Limit.PURPOSE_BYTES), purposeBytes);
        }
        int metadataBytes = asked.metadata().length();
        if (metadataBytes > state.limit(Limit.METADATA_BYTES)) {
            return invalid("metadata", state.limit(Limit.METADATA_BYTES), metadataBytes);
        }
        return Optional.empty();
    }

    Optional<Refused> checkSubtrees(List<Item> items) {
        long most = state.limit(Limit.SUBTREE_KEYS);
        long below = 0;
        for (Item item : items) {
            long here = state.locks.stream()
                    .filter(lock -> item.kind() == Kind.SUBTREE && NaiveRules.isBelow(lock.key, item.key()))
                    .count();
            below = state.has(PlantedBug.SUBTREES_COUNT_ALONE) ? Math.max(below, here) : below + here;
        }
        return below > most ? quotaExceeded(Limit.SUBTREE_KEYS, most + 1) : Optional.empty();
    }

    Optional<Refused> checkQuota(NaiveLease lease, List<Item> asked) {
        long more = NaiveRequest.claims(asked);
        long claims = more;
        for (NaiveRequest request : state.live(lease)) {
            claims += request.claims();
        }
        return claims > state.limit(Limit.LOCKS_PER_LEASE)
                ? quotaExceeded(Limit.LOCKS_PER_LEASE, claims)
                : quotas.refuseClaims(lease.principal, more);
    }

    private Optional<Refused> checkKinds(List<Item> items) {
        for (Item item : items) {
            Optional<NaiveLock> lock = state.lock(item.key());
            if (lock.isPresent() && lock.get().capacity != item.capacity()) {
                return Optional.of(new Refused(
                        Refusal.KIND_MISMATCH, item.key().toString(), lock.get().capacity, item.capacity()));
            }
        }
        return Optional.empty();
    }

    private Optional<Result> reenterWithoutId(NaiveLease lease, Item asked) {
        for (NaiveRequest own : state.live(lease)) {
            Optional<Item> claim = own.seq == 0 ? own.on(asked.key()) : Optional.empty();
            if (claim.isEmpty()) {
                continue;
            }
            Item has = claim.get();
            boolean alike = has.kind() == asked.kind() && has.count() == asked.count();
            if (own.isHeld() && alike && (has.mode() == Mode.EXCLUSIVE || has.mode() == asked.mode())) {
                return Optional.of(NaiveTransitions.granted(own));
            }
            if (own.waits() && alike && has.mode() == asked.mode()) {
                return Optional.of(queued(own));
            }
            return Optional.of(partialOverlap(asked.key()));
        }
        return Optional.empty();
    }

    private Optional<Result> reenterAsOwner(NaiveLease lease, long owner, List<Item> asked) {
        List<NaiveRequest> own = state.live(lease).stream()
                .filter(request -> !request.isUpgrade() && request.owner == owner)
                .toList();
        for (NaiveRequest grant : own) {
            if (grant.isHeld() && asked.stream().allMatch(item -> covers(grant, item))) {
                return Optional.of(NaiveTransitions.granted(grant));
            }
        }
        for (Item item : asked) {
            if (own.stream().anyMatch(request -> overlaps(request, item))) {
                return Optional.of(partialOverlap(item.key()));
            }
        }
        return Optional.empty();
    }

    private static boolean covers(NaiveRequest grant, Item item) {
        return item.kind() != Kind.PERMITS && grant.items.stream().anyMatch(claim -> covers(claim, item));
    }

    private static boolean covers(Item claim, Item item) {
        if (claim.kind() == Kind.PERMITS) {
            return false;
        }
        boolean sameKey = claim.key().equals(item.key());
        boolean place = sameKey || NaiveRules.reaches(claim, item);
        boolean kind = claim.kind() == Kind.SUBTREE || item.kind() != Kind.SUBTREE;
        boolean mode = claim.mode() == Mode.EXCLUSIVE || item.mode() == Mode.SHARED;
        return place && kind && mode;
    }

    private static boolean overlaps(NaiveRequest request, Item item) {
        return item.kind() != Kind.PERMITS
                && request.items.stream()
                        .filter(claim -> claim.kind() != Kind.PERMITS)
                        .anyMatch(claim -> claim.key().equals(item.key())
                                || NaiveRules.reaches(claim, item)
                                || NaiveRules.reaches(item, claim));
    }

    static Refused partialOverlap(LockKey key) {
        return new Refused(Refusal.PARTIAL_OVERLAP, key.toString());
    }

    /** Steps 8 to 12. */
    Result decide(NaiveRequest request, long waitMillis) {
        if (rules.isGrantable(request)) {
            if (request.isUpgrade()
                    && NaiveDeadlock.actorWaits(state, request)
                    && NaiveDeadlock.isStuck(state, rules, request)) {
                return new Refused(Refusal.DEADLOCK, request.firstKey().toString());
            }
            transitions.grant(request);
            return NaiveTransitions.granted(request.upgrades == null ? request : request.upgrades);
        }
        NaiveRules.Blocking blocking = rules.blocking(request);
        if (waitMillis == 0) {
            return new Refused(Refusal.LOCK_ALREADY_HELD, blocking.key().toString(), 0, 0, blockers(blocking));
        }
        long covered = waitMillis + request.lease.grantedTtlMillis;
        if (request.leaseCoversWait
                && covered > state.limit(Limit.TTL_MAX_MILLIS)
                && !state.has(PlantedBug.COVERED_WAIT_UNBOUNDED)) {
            return new Refused(
                    Refusal.QUOTA_EXCEEDED, Limit.TTL_MAX_MILLIS.name(), state.limit(Limit.TTL_MAX_MILLIS), covered);
        }
        Optional<Refused> tooMany = checkWaiters(request);
        if (tooMany.isPresent()) {
            return tooMany.get();
        }
        boolean checked = request.actor != 0 || request.isUpgrade();
        if (checked && NaiveDeadlock.isStuck(state, rules, request)) {
            return new Refused(Refusal.DEADLOCK, blocking.key().toString());
        }
        transitions.enqueue(request);
        if (waitMillis > 0) {
            request.endMillis = state.now + waitMillis;
            if (request.leaseCoversWait) {
                state.setEnd(request.lease, Math.max(request.lease.endMillis, state.now + covered));
            }
        }
        return new Result.Queued(request.revision, rules.position(request, blocking.key()), blocking.key(), true);
    }

    private static List<Result.Blocker> blockers(NaiveRules.Blocking blocking) {
        return blocking.blocker()
                .map(blocker -> new Result.Blocker(blocking.key(), blocker.lease.clientId, blocker.token))
                .map(List::of)
                .orElse(List.of());
    }

    private Optional<Refused> checkWaiters(NaiveRequest request) {
        long ofLease = state.waiters().stream()
                .filter(other -> other.lease == request.lease)
                .count();
        if (ofLease >= state.limit(Limit.WAITERS_PER_LEASE)) {
            return quotaExceeded(Limit.WAITERS_PER_LEASE, ofLease + 1);
        }
        Optional<Refused> ofPrincipal = quotas.refuseWaiter(request.lease.principal);
        if (ofPrincipal.isPresent()) {
            return ofPrincipal;
        }
        for (Item item : request.items) {
            long onKey = state.waiters().stream()
                    .filter(other -> other.on(item.key()).isPresent())
                    .count();
            if (onKey >= state.limit(Limit.WAITERS_PER_KEY)) {
                return quotaExceeded(Limit.WAITERS_PER_KEY, onKey + 1);
            }
        }
        return Optional.empty();
    }

    /** What one that waits is told when it asks again. */
    Result.Queued queued(NaiveRequest request) {
        LockKey key = rules.blocking(request).key();
        return new Result.Queued(request.revision, rules.position(request, key), key, true);
    }
}
