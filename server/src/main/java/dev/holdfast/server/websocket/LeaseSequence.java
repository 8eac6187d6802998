package dev.holdfast.server.websocket;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.request.Rejected;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The leases that one client has for one key, one after the other.
 *
 * <p>Their ids are computed from who the client is, so that it finds the present one again after it was disconnected,
 * on whichever node. The id of a lease that has ended cannot be used again for ten minutes, so there are many of them:
 * the present one is the one that lives, and if none does the first that has not ended. That those before it have ended
 * is forgotten while it lives on, so the first that is not known to have ended need not be it.
 */
final class LeaseSequence {
    /** More than can end in ten minutes, as long as the shortest TTL is a second. */
    static final int MOST = 640;

    /** Odd, so that no two numbers come to the same id. */
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private final String principal;
    private final long base;
    private final long mask;
    private final BitSet over = new BitSet(MOST);
    private int number;

    LeaseSequence(Derivation derivation, String principal, String clientId, LockKey key) {
        this.principal = principal;
        ByteBuffer bytes = ByteBuffer.wrap(derivation.bytes("websocket lease", principal, clientId, key.toString()));
        this.base = bytes.getLong();
        this.mask = bytes.getLong();
    }

    LeaseId lease() {
        return lease(number);
    }

    /** Goes to the one that lives; false if none does, as far as this state tells. */
    boolean findLiving(MachineView view) {
        if (lives(view, number)) {
            return true;
        }
        for (int i = 0; i < MOST; i++) {
            if (lives(view, i)) {
                number = i;
                return true;
            }
        }
        return false;
    }

    /** Goes to the one that lives, else to the first that can be started: by a state that knows of all that live. */
    int find(MachineView view) {
        if (findLiving(view)) {
            return number;
        }
        for (int i = 0; i < MOST; i++) {
            if (!over.get(i) && !view.hasEnded(lease(i))) {
                number = i;
                return number;
            }
        }
        throw Rejected.quota("locks of a client for one key that ended within ten minutes", MOST, MOST + 1L);
    }

    /** The present one has ended, whether this node knows that already or not. */
    void end() {
        over.set(number);
    }

    /** What has ended before this is known by now, or is forgotten and can be used again. */
    void begin() {
        over.clear();
    }

    private boolean lives(MachineView view, int i) {
        return !over.get(i) && view.leaseEndMillis(lease(i), principal).isPresent();
    }

    /** By a step that is cheap, since many are tried: who knows one id cannot tell the others from it. */
    private LeaseId lease(int i) {
        long mixed = base + i * STEP;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        long id = mixed ^ (mixed >>> 31) ^ mask;
        return new LeaseId(id == 0 ? mask | 1 : id);
    }
}
