package dev.holdfast.core.result;

import dev.holdfast.core.LockKey;
import java.util.List;

/** What would become of an acquire if it were applied now. */
public sealed interface Plan {
    record WouldBeGranted() implements Plan {}

    /**
     * It would have to wait.
     *
     * @param position how many would be before it on that key
     * @param deadlockChecked false if the check was stopped by its bound
     */
    record WouldWait(LockKey blockedOn, int position, List<Result.Blocker> blockers, boolean deadlockChecked)
            implements Plan {}

    record WouldDeadlock(List<Result.Blocker> cycle) implements Plan {}

    record WouldBeRefused(Result.Refused refusal) implements Plan {}
}
