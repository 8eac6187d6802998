package dev.holdfast.core.query;

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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Answers questions about locks and leases. Changes nothing. */
final class Queries {
    /** How many waiters a view of a lock lists. */
    static final int WAITERS_SHOWN = 100;

    private final State state;

    Queries(State state) {
        this.state = state;
    }

    Optional<LockView> lock(LockKey key) {
        Lock lock = state.lock(key);
        return lock == null ? Optional.empty() : Optional.of(view(lock));
    }

    Page<LockView, LockKey> locks(String prefix, Optional<LockKey> from, int most) {
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

    List<Event> history(LockKey key, int most) {
        List<Event> found = new ArrayList<>();
        for (long revision = state.revision(); revision >= state.history().floor() && found.size() < most; revision--) {
            Event event = state.history().get(revision);
            if (event instanceof Event.OfLocks ofLocks && names(ofLocks, key)) {
                found.add(event);
            }
        }
        return Collections.unmodifiableList(found);
    }

    Optional<LeaseView> lease(LeaseId id, String principal) {
        Lease lease = state.lease(id);
        return lease == null || !lease.principal().equals(principal) ? Optional.empty() : Optional.of(view(lease));
    }

    Page<LeaseView, LeaseId> leases(String principal, Optional<String> clientId, Optional<LeaseId> from, int most) {
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
        for (long revision = state.revision(); revision >= floor && revision > granted; revision--) {
            if (history.get(revision) instanceof Event.Released released
                    && released.token().value() == token) {
                long since =
                        granted < floor ? released.at() : history.get(granted).at();
                return Optional.of(new GrantEnd(released.reason(), released.at() - since));
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
