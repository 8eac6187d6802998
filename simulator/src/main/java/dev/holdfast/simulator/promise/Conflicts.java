package dev.holdfast.simulator.promise;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.Mode;
import java.util.List;

/** Which two things cannot be held at once by different requests. */
final class Conflicts {
    private Conflicts() {}

    static boolean any(List<Hold> some, List<Hold> others) {
        return some.stream().anyMatch(one -> others.stream().anyMatch(other -> between(one, other)));
    }

    /** For permits that are held their slots count, for those that are waited for the semaphore. */
    static boolean between(Hold one, Hold other) {
        boolean same = one.key().equals(other.key());
        if (one.kind() == Kind.PERMITS && other.kind() == Kind.PERMITS) {
            boolean placed = one.permits().areHeld() && other.permits().areHeld();
            return same && (!placed || one.permits().overlap(other.permits()));
        }
        boolean meet = same || isBelow(other, one) || isBelow(one, other);
        return meet && (one.mode() == Mode.EXCLUSIVE || other.mode() == Mode.EXCLUSIVE);
    }

    private static boolean isBelow(Hold one, Hold root) {
        return root.kind() == Kind.SUBTREE && one.key().toString().startsWith(root.key() + "/");
    }
}
