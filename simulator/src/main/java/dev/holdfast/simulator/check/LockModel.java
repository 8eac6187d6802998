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
        return switch (input.kind()) {
            case TRY_ACQUIRE -> acquired(state, (LockInput.TryAcquire) input, output);
            case RELEASE -> released(state, (LockInput.Release) input, output);
            case EXPIRE -> expired(state, (LockInput.Expire) input, output);
            case READ -> read(state, output);
        };
    }

    private static Optional<LockState> acquired(LockState state, LockInput.TryAcquire asked, LockOutput output) {
        return switch (output.kind()) {
            case GRANTED -> state.granted(asked.client(), ((LockOutput.Granted) output).token());
            case DENIED -> onlyIf(!state.isFree(), state);
            case RELEASED, NOT_HELD, EXPIRED, HOLDER -> Optional.empty();
        };
    }

    private static Optional<LockState> released(LockState state, LockInput.Release release, LockOutput output) {
        return switch (output.kind()) {
            case RELEASED -> freed(state, release);
            case NOT_HELD -> state.notHeldBy(release.client(), release.token());
            case GRANTED, DENIED, EXPIRED, HOLDER -> Optional.empty();
        };
    }

    private static Optional<LockState> expired(LockState state, LockInput.Expire expire, LockOutput output) {
        return output instanceof LockOutput.Expired ? freed(state, expire) : Optional.empty();
    }

    private static Optional<LockState> read(LockState state, LockOutput output) {
        if (!(output instanceof LockOutput.Holder read)) {
            return Optional.empty();
        }
        return read.client()
                .map(client -> state.heldBy(client, read.token()))
                .orElseGet(() -> onlyIf(state.isFree(), state));
    }

    private static Optional<LockState> freed(LockState state, LockInput.Release release) {
        return state.heldBy(release.client(), release.token()).map(LockState::freed);
    }

    private static Optional<LockState> freed(LockState state, LockInput.Expire expire) {
        return state.heldBy(expire.client(), expire.token()).map(LockState::freed);
    }

    @Override
    public List<LockState> stepOfUnknownOutcome(LockState state, LockInput input) {
        Optional<LockState> after = switch (input.kind()) {
            case TRY_ACQUIRE -> state.grantedUnseen(((LockInput.TryAcquire) input).client());
            case RELEASE -> freed(state, (LockInput.Release) input);
            case EXPIRE -> freed(state, (LockInput.Expire) input);
            case READ -> Optional.empty();
        };
        return after.stream().toList();
    }

    private static Optional<LockState> onlyIf(boolean allowed, LockState state) {
        return allowed ? Optional.of(state) : Optional.empty();
    }
}
