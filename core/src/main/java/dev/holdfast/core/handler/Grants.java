package dev.holdfast.core.handler;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import org.jspecify.annotations.Nullable;

/** Finds grants by what their holders know of them: a key and a token. */
final class Grants {
    private final State state;

    Grants(State state) {
        this.state = state;
    }

    /** The live grant, or null. */
    @Nullable
    Request find(LockKey key, long token) {
        Request request = findOrLingering(key, token);
        return request == null || request.isLingering() ? null : request;
    }

    @Nullable
    Request findOrLingering(LockKey key, long token) {
        if (token < 1 || token >>> FencingToken.REVISION_BITS != state.epoch()) {
            return null;
        }
        Lock lock = state.lock(key);
        Claim holder = lock == null ? null : lock.holderWith(token & FencingToken.MAX_REVISION);
        return holder == null ? null : holder.request();
    }

    /** The answer for a token that nobody holds: it ended, unless it was never handed out. */
    Result notHeld(long token) {
        return token <= state.highestToken()
                ? new Result.AlreadyReleased()
                : LeaseHandler.invalid("token", state.highestToken(), token);
    }
}
