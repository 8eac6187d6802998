package dev.holdfast.client.election;

import dev.holdfast.client.grant.PendingAcquire;
import org.jspecify.annotations.Nullable;

/** One attempt to be elected, which may be taken back from the moment it is decided on. */
final class Campaign {
    private @Nullable PendingAcquire pending;
    private boolean withdrawn;

    /** It is on its way. */
    void goesBy(PendingAcquire request) {
        boolean tooLate;
        synchronized (this) {
            pending = request;
            tooLate = withdrawn;
        }
        if (tooLate) {
            request.cancel();
        }
    }

    /** Takes it back: what is granted by it is given back. */
    void withdraw() {
        PendingAcquire sent;
        synchronized (this) {
            withdrawn = true;
            sent = pending;
        }
        if (sent != null) {
            sent.cancel();
        }
    }
}
