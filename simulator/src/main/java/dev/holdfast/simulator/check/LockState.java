package dev.holdfast.simulator.check;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who holds the lock, and what is known of the highest token there was.
 *
 * <p>A grant of unknown outcome has a token that nobody has seen yet. Trying every number for it is impossible; so
 * the state says what the token can be, and the first operation that names it decides.
 *
 * @param token the highest token so far, if {@code exact} that of the holder; else the lowest it can be
 * @param ruledOut tokens above {@code token} that it is not; empty if {@code exact}
 */
public record LockState(@Nullable String holder, long token, boolean exact, Set<Long> ruledOut) {
    private static final Set<Long> NONE = Set.of();
    static final LockState INITIAL = free(0);

    public LockState {
        ruledOut = Set.copyOf(ruledOut);
    }

    private static LockState free(long highest) {
        return new LockState(null, highest, true, NONE);
    }

    boolean isFree() {
        return holder == null;
    }

    Optional<LockState> granted(String client, long granted) {
        return isFree() && granted > token ? Optional.of(new LockState(client, granted, true, NONE)) : Optional.empty();
    }

    Optional<LockState> grantedUnseen(String client) {
        return isFree() ? Optional.of(new LockState(client, token + 1, false, NONE)) : Optional.empty();
    }

    /** The state in which that client holds it with that token, if that can be. */
    Optional<LockState> heldBy(String client, long named) {
        boolean possible = exact ? named == token : named >= token && !ruledOut.contains(named);
        return client.equals(holder) && possible
                ? Optional.of(new LockState(client, named, true, NONE))
                : Optional.empty();
    }

    /** The state in which that client does not hold it with that token, if that can be. */
    Optional<LockState> notHeldBy(String client, long named) {
        if (heldBy(client, named).isEmpty()) {
            return Optional.of(this);
        }
        if (exact) {
            return Optional.empty();
        }
        Set<Long> out = new HashSet<>(ruledOut);
        out.add(named);
        long lowest = token;
        while (out.remove(lowest)) {
            lowest++;
        }
        return Optional.of(new LockState(holder, lowest, false, out));
    }

    /** The next token is above the lowest that this one can be: no more is known of it, nor needed. */
    LockState freed() {
        return free(token);
    }

    @Override
    public String toString() {
        if (holder == null) {
            return "free, highest token " + token;
        }
        return holder + " holds it, token " + (exact ? Long.toString(token) : "unseen, at least " + token);
    }
}
