package dev.holdfast.core.query;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.index.RadixTree;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Answers questions about locks and leases. Changes nothing. */
public final class Queries {
    /** How many waiters a view of a lock lists. */
    static final int WAITERS_SHOWN = 100;

    private final State state;

    public Queries(State state) {
        this.state = state;
    }

    /** The lock, if it is in use. */
    public Optional<LockView> get(LockKey key) {
        Lock lock = state.lock(key);
        return lock == null ? Optional.empty() : Optional.of(view(lock));
    }

    /** Locks in use whose keys start with a prefix, in key order, from {@code from} up. */
    public Page<LockView, LockKey> list(String prefix, Optional<LockKey> from, int most) {
        byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
        List<LockView> found = new ArrayList<>();
        List<LockKey> next = new ArrayList<>(1);
        state.locks().visitFrom(from.map(LockKey::utf8).orElse(start), lock -> {
            if (!RadixTree.startsWith(lock.key(), start)) {
                return false;
            }
            if (found.size() == most) {
                next.add(lock.name());
                return false;
            }
            return found.add(view(lock));
        });
        return new Page<>(found, next.isEmpty() ? Optional.empty() : Optional.of(next.get(0)));
    }

    /** The latest events of a key, newest first, of those that are kept. */
    public List<Event> history(LockKey key, int most) {
        List<Event> found = new ArrayList<>();
        for (long revision = state.revision(); revision >= state.history().floor() && found.size() < most; revision--) {
            Event event = state.history().get(revision);
            if (event instanceof Event.OfLocks ofLocks && names(ofLocks, key)) {
                found.add(event);
            }
        }
        return Collections.unmodifiableList(found);
    }

    /** A principal's lease, with how long it lives. */
    public Optional<LeaseView> lease(LeaseId id, String principal) {
        Lease lease = state.lease(id);
        return lease == null || !lease.principal().equals(principal) ? Optional.empty() : Optional.of(view(lease));
    }

    /** A principal's leases, by id, from {@code from} up; with a client id, only that client's. */
    public Page<LeaseView, LeaseId> leases(
            String principal, Optional<String> clientId, Optional<LeaseId> from, int most) {
        List<LeaseView> found = new ArrayList<>();
        List<LeaseId> next = new ArrayList<>(1);
        byte[] start = from.map(id -> Lease.keyOf(id.value())).orElse(new byte[0]);
        state.leases().visitFrom(start, lease -> {
            if (!lease.principal().equals(principal)
                    || !clientId.map(lease.clientId()::equals).orElse(true)) {
                return true;
            }
            if (found.size() == most) {
                next.add(lease.id());
                return false;
            }
            return found.add(view(lease));
        });
        return new Page<>(found, next.isEmpty() ? Optional.empty() : Optional.of(next.get(0)));
    }

    private static boolean names(Event.OfLocks event, LockKey key) {
        for (Hold hold : event.holds()) {
            if (hold.key().equals(key)) {
                return true;
            }
        }
        return false;
    }

    private LockView view(Lock lock) {
        List<LockView.Holder> holders = new ArrayList<>(lock.holderCount());
        for (int i = 0; i < lock.holderCount(); i++) {
            holders.add(holder(lock.holder(i)));
        }
        int shown = Math.min(WAITERS_SHOWN, lock.waiterCount());
        List<LockView.Waiter> waiters = new ArrayList<>(shown);
        for (int i = 0; i < shown; i++) {
            long predecessor = i == 0 ? 0 : lock.waiter(i - 1).request().revision();
            waiters.add(waiter(lock.waiter(i), predecessor));
        }
        return new LockView(
                lock.name(),
                lock.capacity(),
                lock.createRevision(),
                lock.modRevision(),
                lock.version(),
                holders,
                waiters,
                lock.waiterCount());
    }

    private LockView.Holder holder(Claim claim) {
        Request request = claim.request();
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

    private LockView.Waiter waiter(Claim claim, long predecessor) {
        Request request = claim.request();
        return new LockView.Waiter(
                request.lease().clientId(),
                request.revision(),
                predecessor,
                Collections.nCopies(Request.countOn(claim), claim.toHold()),
                state.now() - request.sinceMillis(),
                request.wallMillis(),
                leaseLeft(request),
                request.waitEndMillis(),
                request.isUpgrade(),
                request.purpose(),
                request.metadata());
    }

    private LeaseView view(Lease lease) {
        List<Hold> held = new ArrayList<>();
        List<FencingToken> tokens = new ArrayList<>();
        List<Hold> awaited = new ArrayList<>();
        for (Request request : lease.requestsByAge()) {
            if (request.waiting() == null) {
                held.addAll(request.holds());
                tokens.add(state.tokenOf(request));
            } else {
                awaited.addAll(request.holds());
            }
        }
        return new LeaseView(
                lease.id(),
                lease.clientId(),
                lease.grantedTtlMillis(),
                Math.max(0, lease.endMillis() - state.now()),
                lease.lockDelayMillis(),
                lease.startRevision(),
                lease.startedWallMillis(),
                held,
                tokens,
                awaited);
    }

    private long leaseLeft(Request request) {
        return request.isLingering() ? 0 : Math.max(0, request.lease().endMillis() - state.now());
    }
}
