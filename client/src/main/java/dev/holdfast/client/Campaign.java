package dev.holdfast.client;

import dev.holdfast.client.session.Acquiring;
import org.jspecify.annotations.Nullable;

/** One attempt to be elected, which may be taken back from the moment it is decided on. */
final class Campaign {
    private @Nullable Acquiring acquiring;
    private boolean withdrawn;

    /** It is on its way. */
    void goesBy(Acquiring request) {
        boolean tooLate;
        synchronized (this) {
            acquiring = request;
            tooLate = withdrawn;
        }
        if (tooLate) {
            request.cancel();
        }
    }

    /** Takes it back: what is granted by it is given back. */
    void withdraw() {
        Acquiring sent;
        synchronized (this) {
            withdrawn = true;
            sent = acquiring;
        }
        if (sent != null) {
            sent.cancel();
        }
    }
}
