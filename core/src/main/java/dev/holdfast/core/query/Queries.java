package dev.holdfast.core.query;

import dev.holdfast.core.Budget;
import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.event.History;
import dev.holdfast.core.index.RadixTree;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Answers questions about locks and leases. Changes nothing. */
final class Queries {
    /** How many waiters a view of a lock lists, and how many holders. */
    static final int WAITERS_SHOWN = 100;

    static final int HOLDERS_SHOWN = 1_000;

    private final State state;

    Queries(State state) {
        this.state = state;
    }

    Optional<LockView> lock(LockKey key) {
        Lock lock = state.lock(key);
        return lock == null ? Optional.empty() : Optional.of(view(lock, Budget.ofQuestion()));
    }

    Page<LockView, LockKey> locks(List<String> prefixes, Optional<LockKey> from, int most) {
        List<LockView> found = new ArrayList<>();
        List<LockKey> next = new ArrayList<>(1);
        Budget budget = Budget.ofQuestion();
        for (String prefix : prefixes) {
            byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
            byte[] first = from.filter(key -> prefix.isEmpty() || key.compareTo(LockKey.of(prefix)) > 0)
                    .map(LockKey::utf8)
                    .orElse(start);
            state.locks().visitFrom(first, lock -> {
                if (!RadixTree.startsWith(lock.key(), start)) {
                    return false;
                }
                if (found.size() == most || budget.isSpent()) {
                    next.add(lock.name());
                    return false;
                }
                return found.add(view(lock, budget));
            });
            if (!next.isEmpty()) {
                return new Page<>(found, Optional.of(next.get(0)));
            }
        }
        return new Page<>(found, Optional.empty());
    }

    Page<Event, Long> history(LockKey key, long before, int most) {
        List<Event> found = new ArrayList<>();
        Budget budget = Budget.ofQuestion();
        History history = state.history();
        long revision = before == 0 ? state.revision() : Math.min(before - 1, state.revision());
        while (revision >= history.floor() && found.size() < most && !budget.isSpent()) {
            Event event = history.get(revision);
            budget.visit();
            if (event instanceof Event.OfLocks ofLocks) {
                Hold named = holdOf(ofLocks, key, budget);
                if (named != null) {
                    found.add(event);
                    budget.tell(named.bytes() + ofLocks.party().clientId().length() + ofLocks.textBytes());
                }
            }
            revision--;
        }
        return new Page<>(found, revision < history.floor() ? Optional.empty() : Optional.of(revision + 1));
    }

    Optional<LeaseView> lease(LeaseId id, String principal) {
        Lease lease = state.openLease(id);
        return lease == null || !lease.principal().equals(principal)
                ? Optional.empty()
                : Optional.of(viewWithKeys(lease));
    }

    Optional<Attachment> attachment(LeaseId id, String principal) {
        Lease lease = state.openLease(id);
        if (lease == null || !lease.principal().equals(principal)) {
            return Optional.empty();
        }
        List<FencingToken> grants = new ArrayList<>();
        for (Request request : lease.requestsByAge()) {
            if (request.waiting() == null) {
                grants.add(state.tokenOf(request));
            }
        }
        return Optional.of(new Attachment(lease.endMillis(), grants));
    }

    Page<LeaseView, LeaseId> leases(String principal, Optional<String> clientId, Optional<LeaseId> from, int most) {
        List<LeaseView> found = new ArrayList<>();
        List<LeaseId> next = new ArrayList<>(1);
        long[] last = {0};
        Budget budget = Budget.ofQuestion();
        byte[] start = from.map(id -> Lease.keyOf(id.value())).orElse(new byte[0]);
        state.leases().visitFrom(start, lease -> {
            if (budget.isSpent()) {
                next.add(new LeaseId(between(last[0], lease.id().value())));
                return false;
            }
            budget.visit();
            last[0] = lease.id().value();
            if (!lease.principal().equals(principal)
                    || lease.ending() != null
                    || !clientId.map(lease.clientId()::equals).orElse(true)) {
                return true;
            }
            if (found.size() == most) {
                next.add(lease.id());
                return false;
            }
            budget.tell(lease.clientId().length());
            return found.add(view(lease, List.of(), List.of(), true));
        });
        return new Page<>(found, next.isEmpty() ? Optional.empty() : Optional.of(next.get(0)));
    }

    /** A place above one id and not above the next, which tells as little of that as it can: it may be a stranger's. */
    static long between(long last, long next) {
        for (int hidden = Long.SIZE - 1; hidden > 0; hidden--) {
            long place = (next >>> hidden) << hidden;
            if (Long.compareUnsigned(place, last) > 0) {
                return place;
            }
        }
        return next;
    }

    Optional<List<LeaseId>> leasesAt(LockKey key, int most) {
        Lock lock = state.lock(key);
        int holders = lock == null ? 0 : lock.holderCount();
        int waiters = lock == null ? 0 : lock.waiterCount();
        if (lock == null || holders + waiters > most) {
            return lock == null ? Optional.of(List.of()) : Optional.empty();
        }
        List<LeaseId> found = new ArrayList<>(holders + waiters);
        for (int i = 0; i < holders; i++) {
            found.add(lock.holder(i).request().lease().id());
        }
        for (int i = 0; i < waiters; i++) {
            found.add(lock.waiter(i).request().lease().id());
        }
        return Optional.of(found);
    }

    Optional<GrantView> grant(LockKey key, long token) {
        Request request = held(key, token);
        return request == null
                ? Optional.empty()
                : Optional.of(new GrantView(
                        request.lease().id(),
                        request.lease().clientId(),
                        request.holds(),
                        request.sinceMillis(),
                        state.now() - request.sinceMillis(),
                        leaseLeft(request),
                        request.purpose(),
                        request.metadata()));
    }

    OptionalLong grantLeftMillis(LockKey key, long token) {
        Request request = held(key, token);
        return request == null ? OptionalLong.empty() : OptionalLong.of(leaseLeft(request));
    }

    private @Nullable Request held(LockKey key, long token) {
        Lock lock = state.lock(key);
        if (lock == null || token >>> FencingToken.REVISION_BITS != state.epoch()) {
            return null;
        }
        Claim claim = lock.holderWith(token & FencingToken.MAX_REVISION);
        return claim == null || claim.request().isLingering() ? null : claim.request();
    }

    Optional<GrantEnd> grantEnd(long token) {
        if (token >>> FencingToken.REVISION_BITS != state.epoch()) {
            return Optional.empty();
        }
        long granted = token & FencingToken.MAX_REVISION;
        History history = state.history();
        long floor = history.floor();
        Budget budget = Budget.ofWalk();
        for (long revision = state.revision(); revision >= floor && revision > granted && budget.visit(); revision--) {
            if (history.get(revision) instanceof Event.Released released
                    && released.token().value() == token) {
                long since =
                        granted < floor ? released.at() : history.get(granted).at();
                return Optional.of(new GrantEnd(released.party().lease(), released.reason(), released.at() - since));
            }
        }
        return Optional.empty();
    }

    int countWaiting() {
        int[] found = {0};
        state.locks().visitFrom(new byte[0], lock -> {
            for (int i = 0; i < lock.waiterCount(); i++) {
                // A request waits on each of its keys and counts once.
                found[0] += lock.waiter(i).request().lock() == lock ? 1 : 0;
            }
            return true;
        });
        return found[0];
    }

    private static @Nullable Hold holdOf(Event.OfLocks event, LockKey key, Budget budget) {
        budget.visit(event.holds().size() - 1L);
        for (Hold hold : event.holds()) {
            if (hold.key().equals(key)) {
                return hold;
            }
        }
        return null;
    }

    private LockView view(Lock lock, Budget budget) {
        budget.tell(lock.key().length);
        List<LockView.Holder> holders = new ArrayList<>(Math.min(HOLDERS_SHOWN, lock.holderCount()));
        // The first of each is told, whatever is left: a lock without holders would look free.
        for (int i = 0; i < lock.holderCount() && i < HOLDERS_SHOWN && (i == 0 || !budget.isSpent()); i++) {
            holders.add(holder(lock.holder(i), budget));
        }
        List<LockView.Waiter> waiters = new ArrayList<>(Math.min(WAITERS_SHOWN, lock.waiterCount()));
        for (int i = 0; i < lock.waiterCount() && i < WAITERS_SHOWN && (i == 0 || !budget.isSpent()); i++) {
            long predecessor = i == 0 ? 0 : lock.waiter(i - 1).request().revision();
            waiters.add(waiter(lock.waiter(i), predecessor, budget));
        }
        return new LockView(
                lock.name(),
                lock.capacity(),
                lock.createRevision(),
                lock.modRevision(),
                lock.version(),
                holders,
                lock.holderCount(),
                lock.permitsTaken(),
                waiters,
                lock.waiterCount());
    }

    private LockView.Holder holder(Claim claim, Budget budget) {
        Request request = claim.request();
        budget.tell(size(claim));
        return new LockView.Holder(
                request.lease().clientId(),
                state.tokenOf(request).value(),
                claim.toHold(),
                state.now() - request.sinceMillis(),
                request.wallMillis(),
                leaseLeft(request),
                request.holdEndMillis(),
                request.isLingering(),
                request.purpose(),
                request.metadata());
    }

    private LockView.Waiter waiter(Claim claim, long predecessor, Budget budget) {
        Request request = claim.request();
        budget.tell(size(claim));
        return new LockView.Waiter(
                request.lease().clientId(),
                request.revision(),
                predecessor,
                claim.toHold(),
                state.now() - request.sinceMillis(),
                request.wallMillis(),
                leaseLeft(request),
                request.waitEndMillis(),
                request.isUpgrade(),
                request.purpose(),
                request.metadata());
    }

    /** The texts of a holder or waiter: its key is told with each, and its slots. */
    private static long size(Claim claim) {
        Request request = claim.request();
        return (long) claim.toHold().bytes()
                + request.lease().clientId().length()
                + request.purpose().length()
                + request.metadata().length();
    }

    private LeaseView viewWithKeys(Lease lease) {
        List<Hold> held = new ArrayList<>();
        List<Hold> awaited = new ArrayList<>();
        Budget looking = Budget.ofQuestion();
        Budget budget = Budget.ofQuestion();
        for (Request request : lease.requestsByAge(looking)) {
            List<Hold> into = request.waiting() == null ? held : awaited;
            for (Claim claim = request; claim != null && !budget.isSpent(); claim = claim.next()) {
                Hold hold = claim.toHold();
                into.add(hold);
                budget.tell(hold.bytes());
            }
        }
        return view(lease, held, awaited, !looking.isSpent() && !budget.isSpent());
    }

    private LeaseView view(Lease lease, List<Hold> held, List<Hold> awaited, boolean complete) {
        return new LeaseView(
                lease.id(),
                lease.clientId(),
                lease.grantedTtlMillis(),
                Math.max(0, lease.endMillis() - state.now()),
                lease.lockDelayMillis(),
                lease.startRevision(),
                lease.startedWallMillis(),
                held,
                awaited,
                complete);
    }

    private long leaseLeft(Request request) {
        return request.isLingering() ? 0 : Math.max(0, request.lease().endMillis() - state.now());
    }
}
