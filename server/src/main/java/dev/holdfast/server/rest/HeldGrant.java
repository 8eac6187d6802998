package dev.holdfast.server.rest;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import java.util.List;
import java.util.Optional;

/**
 * A grant as it is held.
 *
 * @param sinceMillis cluster time of the grant
 * @param leftMillis how long its lease lives unless renewed
 */
record HeldGrant(
        LeaseId lease,
        String owner,
        List<Hold> holds,
        long sinceMillis,
        long ageMillis,
        long leftMillis,
        String purpose,
        String metadata) {

    static Optional<HeldGrant> find(LockMachine machine, LockName name) {
        return request(machine, name).map(request -> of(request, machine.state().now()));
    }

    /** How long the lease of a grant lives unless renewed. */
    static Optional<Long> leftMillis(LockMachine machine, LockName name) {
        return request(machine, name)
                .map(request -> leftMillis(request, machine.state().now()));
    }

    private static Optional<Request> request(LockMachine machine, LockName name) {
        State state = machine.state();
        Lock lock = state.lock(name.key());
        if (lock == null || name.token() >>> FencingToken.REVISION_BITS != state.epoch()) {
            return Optional.empty();
        }
        Claim claim = lock.holderWith(name.token() & FencingToken.MAX_REVISION);
        return claim == null || claim.request().isLingering() ? Optional.empty() : Optional.of(claim.request());
    }

    private static HeldGrant of(Request request, long now) {
        return new HeldGrant(
                request.lease().id(),
                request.lease().clientId(),
                request.holds(),
                request.sinceMillis(),
                now - request.sinceMillis(),
                leftMillis(request, now),
                request.purpose(),
                request.metadata().toString());
    }

    private static long leftMillis(Request request, long now) {
        return Math.max(0, request.lease().endMillis() - now);
    }

    /** How it ended, and how long it had been held; nothing if the history has forgotten. */
    record Ended(EndReason reason, long heldMillis) {}

    static Optional<Ended> findEnd(LockMachine machine, LockName name) {
        State state = machine.state();
        if (name.token() >>> FencingToken.REVISION_BITS != state.epoch()) {
            return Optional.empty();
        }
        long granted = name.token() & FencingToken.MAX_REVISION;
        long floor = state.history().floor();
        for (long revision = state.revision(); revision >= floor && revision > granted; revision--) {
            if (state.history().get(revision) instanceof Event.Released released
                    && released.token().value() == name.token()) {
                long since = granted < floor
                        ? released.at()
                        : state.history().get(granted).at();
                return Optional.of(new Ended(released.reason(), released.at() - since));
            }
        }
        return Optional.empty();
    }
}
