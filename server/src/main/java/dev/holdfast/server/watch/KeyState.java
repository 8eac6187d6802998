package dev.holdfast.server.watch;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * A key as an event tells of it.
 *
 * @param hold the key, and how it is held or wanted
 * @param holder the client id of who holds it or waits for it
 * @param lease the lease it is held by; 0 if the reader may not know
 * @param token the token it is held under; null for who waits
 * @param modRevision when it last changed
 */
public record KeyState(
        Hold hold,
        String holder,
        long lease,
        @Nullable FencingToken token,
        long modRevision,
        String purpose,
        Metadata metadata) {

    /** The same, held under a token, for a purpose. */
    KeyState held(FencingToken under, String heldFor, Metadata described) {
        return new KeyState(hold, holder, lease, under, modRevision, heldFor, described);
    }

    /** About how many bytes it takes to tell of it. */
    int bytes() {
        return hold.key().length() + holder.length() + purpose.length() + metadata.bytes().length;
    }
}
