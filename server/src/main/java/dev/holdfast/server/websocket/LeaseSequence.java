package dev.holdfast.server.websocket;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.replica.LockReplica;

/**
 * The leases that one client has for one key, one after the other.
 *
 * <p>Their ids are computed from who the client is, so that it finds the present one again after it was disconnected,
 * on whichever node. The id of a lease that has ended cannot be used again for ten minutes, so they are numbered: the
 * present one is the first that has not ended.
 */
final class LeaseSequence {
    private final Derivation derivation;
    private final String principal;
    private final String clientId;
    private final LockKey key;
    private long number;
    private LeaseId lease;

    LeaseSequence(Derivation derivation, String principal, String clientId, LockKey key) {
        this.derivation = derivation;
        this.principal = principal;
        this.clientId = clientId;
        this.key = key;
        this.lease = derive();
    }

    LeaseId lease() {
        return lease;
    }

    /** Passes over those that have ended as far as this node knows. */
    void catchUp(LockReplica replica) {
        while (replica.<Boolean>ask(view -> view.hasEnded(lease))) {
            next();
        }
    }

    /** The present one has ended. */
    void next() {
        number++;
        lease = derive();
    }

    private LeaseId derive() {
        return derivation.lease("websocket lease", principal, clientId, key.toString(), Long.toString(number));
    }
}
