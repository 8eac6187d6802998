package dev.holdfast.simulator.check;

import java.util.List;
import java.util.Optional;

/**
 * One exclusive lock, not reentrant.
 *
 * <pre>
 * operation            output          allowed if                        then
 * TryAcquire(c)        Granted(t)      free, t above every token before  c holds it with t
 *                      Denied          held, by whomever
 * Release(c, t)        Released        c holds it with t                 free
 *                      NotHeld         c does not hold it with t
 * Expire(c, t)         Expired         c holds it with t                 free
 * Read                 Holder(c, t)    c holds it with t
 *                      Holder.NONE     free
 * </pre>
 *
 * <p>Of unknown outcome, a TryAcquire may have been granted with any token above those before, a Release and an
 * Expire may have freed the lock.
 */
public final class LockModel implements Model<LockState, LockInput, LockOutput> {
    @Override
    public LockState initial() {
        return LockState.INITIAL;
    }

    @Override
    public Optional<LockState> step(LockState state, LockInput input, LockOutput output) {
        if (input instanceof LockInput.TryAcquire asked) {
            return acquired(state, asked, output);
        } else if (input instanceof LockInput.Release release) {
            return released(state, release, output);
        } else if (input instanceof LockInput.Expire expire && output instanceof LockOutput.Expired) {
            return state.heldBy(expire.client(), expire.token()).map(LockState::freed);
        } else if (input instanceof LockInput.Read && output instanceof LockOutput.Holder read) {
            return read.client()
                    .map(client -> state.heldBy(client, read.token()))
                    .orElseGet(() -> onlyIf(state.isFree(), state));
        }
        return Optional.empty();
    }

    private static Optional<LockState> acquired(LockState state, LockInput.TryAcquire asked, LockOutput output) {
        if (output instanceof LockOutput.Granted granted) {
            return state.granted(asked.client(), granted.token());
        }
        return onlyIf(output instanceof LockOutput.Denied && !state.isFree(), state);
    }

    private static Optional<LockState> released(LockState state, LockInput.Release release, LockOutput output) {
        if (output instanceof LockOutput.Released) {
            return state.heldBy(release.client(), release.token()).map(LockState::freed);
        }
        return output instanceof LockOutput.NotHeld
                ? state.notHeldBy(release.client(), release.token())
                : Optional.empty();
    }

    @Override
    public List<LockState> stepOfUnknownOutcome(LockState state, LockInput input) {
        Optional<LockState> after = Optional.empty();
        if (input instanceof LockInput.TryAcquire asked) {
            after = state.grantedUnseen(asked.client());
        } else if (input instanceof LockInput.Release release) {
            after = state.heldBy(release.client(), release.token()).map(LockState::freed);
        } else if (input instanceof LockInput.Expire expire) {
            after = state.heldBy(expire.client(), expire.token()).map(LockState::freed);
        }
        return after.stream().toList();
    }

    private static Optional<LockState> onlyIf(boolean allowed, LockState state) {
        return allowed ? Optional.of(state) : Optional.empty();
    }
}
