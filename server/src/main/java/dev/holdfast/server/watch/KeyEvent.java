package dev.holdfast.server.watch;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.event.EndReason;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one key. Events of one transition have one revision.
 *
 * @param atMillis in cluster time
 * @param wallMillis for people
 * @param state the key after it
 * @param previous the key before it, where the reader asked for it, it was held, and that is still known
 * @param reason why a grant or a wait ended; null for other events
 */
public record KeyEvent(
        What what,
        long revision,
        long atMillis,
        long wallMillis,
        State state,
        @Nullable State previous,
        @Nullable EndReason reason,
        String detail) {
    private static final int FIXED_BYTES = 64;

    /** What it means for whoever only wants to know whether a key is held. */
    public enum Type {
        /** The key is held. */
        PUT,
        /** The key is no longer held. */
        DELETE,
        /** Neither. */
        OTHER
    }

    /** What happened. */
    public enum What {
        GRANTED(Type.PUT),
        MODE_CHANGED(Type.PUT),
        DESCRIBED(Type.PUT),
        ENDED(Type.DELETE),
        QUEUED(Type.OTHER),
        LEFT(Type.OTHER),
        DELAY_ENDED(Type.OTHER);

        private final Type type;

        What(Type type) {
            this.type = type;
        }

        public Type type() {
            return type;
        }
    }

    /** About how many bytes it takes to tell of it. */
    public int bytes() {
        return FIXED_BYTES + state.bytes() + (previous == null ? 0 : previous.bytes()) + detail.length();
    }

    /**
     * A key as an event tells of it.
     *
     * @param hold the key, and how it is held or wanted
     * @param holder the client id of who holds it or waits for it
     * @param lease the lease it is held by; 0 if the reader may not know
     * @param token the token it is held under; null for who waits
     * @param modRevision when it last changed
     */
    public record State(
            Hold hold,
            String holder,
            long lease,
            @Nullable FencingToken token,
            long modRevision,
            String purpose,
            Metadata metadata) {

        /** The same, held under a token, for a purpose. */
        State held(FencingToken under, String heldFor, Metadata described) {
            return new State(hold, holder, lease, under, modRevision, heldFor, described);
        }

        /** About how many bytes it takes to tell of it. */
        int bytes() {
            return hold.bytes() + holder.length() + purpose.length() + metadata.bytes().length;
        }
    }
}
