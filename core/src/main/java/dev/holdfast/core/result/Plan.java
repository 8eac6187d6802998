package dev.holdfast.core.result;

import dev.holdfast.core.LockKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What would happen to an acquire if it were applied now. */
public sealed interface Plan {

    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Calls the case for this kind of plan. */
    <R extends @Nullable Object> R match(Cases<R> cases);

    record WouldBeGranted() implements Plan {
        @Override
        public Kind kind() {
            return Kind.WOULD_BE_GRANTED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.wouldBeGranted(this);
        }
    }

    /**
     * It would have to wait.
     *
     * @param position how many would be before it on that key
     * @param deadlockChecked false if the check was stopped by its bound
     */
    record WouldWait(LockKey blockedOn, int position, List<Result.Blocker> blockers, boolean deadlockChecked)
            implements Plan {
        @Override
        public Kind kind() {
            return Kind.WOULD_WAIT;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.wouldWait(this);
        }
    }

    record WouldDeadlock(List<Result.Blocker> cycle) implements Plan {
        @Override
        public Kind kind() {
            return Kind.WOULD_DEADLOCK;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.wouldDeadlock(this);
        }
    }

    record WouldBeRefused(Result.Refused refusal) implements Plan {
        @Override
        public Kind kind() {
            return Kind.WOULD_BE_REFUSED;
        }

        @Override
        public <R extends @Nullable Object> R match(Cases<R> cases) {
            return cases.wouldBeRefused(this);
        }
    }

    /** Every kind of plan. */
    enum Kind {
        WOULD_BE_GRANTED,
        WOULD_WAIT,
        WOULD_DEADLOCK,
        WOULD_BE_REFUSED
    }

    /** What to do with each kind: a new one does not compile until everybody has decided. */
    interface Cases<R extends @Nullable Object> {
        R wouldBeGranted(WouldBeGranted plan);

        R wouldWait(WouldWait plan);

        R wouldDeadlock(WouldDeadlock plan);

        R wouldBeRefused(WouldBeRefused plan);
    }
}
