package dev.holdfast.core.image;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits, holds, or was lost and still keeps its keys closed, as a value.
 *
 * @param clientId whose it is; here and not only in the lease, because a lingering request has outlived its lease
 * @param seq the request id; 0 for a request without one
 * @param revision waiting: its place; else: that of its grant
 * @param claims by key and slot; a waiting request for several permits has as many equal claims
 * @param sinceMillis cluster time since which it waits or holds
 * @param endMillis cluster time at which the wait, the hold or the lingering ends; 0 for none
 * @param maxHoldMillis waiting: how long the grant may last; else 0
 * @param parkedOn waiting: the key that blocked it when it was last tried; else null
 * @param upgrades waiting: the revision of the grant that is to become exclusive; else 0
 */
public record RequestImage(
        LeaseId lease,
        String clientId,
        State state,
        long seq,
        long revision,
        long owner,
        long actor,
        List<Hold> claims,
        long sinceMillis,
        long wallMillis,
        long endMillis,
        long maxHoldMillis,
        @Nullable LockKey parkedOn,
        long upgrades,
        boolean leaseCoversWait,
        boolean deadlockChecked,
        String purpose,
        Metadata metadata) {

    public RequestImage {
        claims = List.copyOf(claims);
    }

    /** What has become of a request. */
    public enum State {
        WAITING(1),
        HELD(2),
        /** Its holder was lost and lock-delay runs. */
        LINGERING(3);

        private final int id;

        State(int id) {
            this.id = id;
        }

        /** What the codec writes. */
        public int id() {
            return id;
        }
    }
}
