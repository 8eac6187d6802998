package dev.holdfast.server.websocket;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.request.Rejected;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

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

    /** What turns {@link #STEP} and the factors of {@link #lease(int)} back. */
    private static final long STEP_BACK = inverse(STEP);

    private static final long FIRST = 0xbf58476d1ce4e5b9L;
    private static final long SECOND = 0x94d049bb133111ebL;
    private static final long FIRST_BACK = inverse(FIRST);
    private static final long SECOND_BACK = inverse(SECOND);

    /** Of one key: to look at more of them costs more than to try all ids. */
    private static final int MOST_AT_A_KEY = 64;

    private final LockKey key;
    private final long base;
    private final long mask;
    private final BitSet over = new BitSet(MOST);
    private int number;

    LeaseSequence(Derivation derivation, String principal, String clientId, LockKey key) {
        this.key = key;
        ByteBuffer bytes = ByteBuffer.wrap(derivation.bytes("websocket lease", principal, clientId, key.toString()));
        this.base = bytes.getLong();
        this.mask = bytes.getLong();
    }

    LeaseId lease() {
        return lease(number);
    }

    /** Goes to the one that lives; false if none does, as far as this state tells. */
    boolean findLiving(Looks view) {
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
    int find(Looks view) {
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

    /**
     * Goes to the one that holds the key or waits for it; false if none does, as far as this state tells. Costs what is
     * there at the key: nothing if it is free, which is all that those can make a node look at who release what they
     * never had. Only in a crowd all ids are tried.
     */
    boolean findHolding(Looks view) {
        Optional<List<LeaseId>> there = view.at(key, MOST_AT_A_KEY);
        if (there.isEmpty()) {
            return findLiving(view);
        }
        for (LeaseId lease : there.get()) {
            int i = numberOf(lease);
            if (i >= 0 && lives(view, i)) {
                number = i;
                return true;
            }
        }
        return false;
    }

    /** The present one has ended, whether this node knows that already or not. */
    void end() {
        over.set(number);
    }

    /** What has ended before this is known by now, or is forgotten and can be used again. */
    void begin() {
        over.clear();
    }

    private boolean lives(Looks view, int i) {
        return !over.get(i) && view.lives(lease(i));
    }

    /** By a step that is cheap, since many are tried: who knows one id cannot tell the others from it. */
    LeaseId lease(int i) {
        long mixed = base + i * STEP;
        mixed = (mixed ^ (mixed >>> 30)) * FIRST;
        mixed = (mixed ^ (mixed >>> 27)) * SECOND;
        long id = mixed ^ (mixed >>> 31) ^ mask;
        return new LeaseId(id == 0 ? mask | 1 : id);
    }

    /** Which of them an id is; -1 if none. The steps of {@link #lease(int)}, backwards. */
    int numberOf(LeaseId lease) {
        long mixed = unshifted(lease.value() ^ mask, 31) * SECOND_BACK;
        mixed = unshifted(mixed, 27) * FIRST_BACK;
        long i = (unshifted(mixed, 30) - base) * STEP_BACK;
        // One id in 2^64 stands in for 0; the look at what it comes to also keeps every mistake harmless.
        return i >= 0 && i < MOST && lease((int) i).equals(lease) ? (int) i : -1;
    }

    /** What gives this if it is combined with itself, shifted. */
    private static long unshifted(long combined, int by) {
        long plain = combined;
        for (int known = by; known < Long.SIZE; known += by) {
            plain = combined ^ (plain >>> by);
        }
        return plain;
    }

    /** Of an odd number, modulo 2^64: each round doubles how many bits are right. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int right = 3; right < Long.SIZE; right *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
