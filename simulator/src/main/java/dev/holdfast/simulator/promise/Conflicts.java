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

    /** For permits that are held it is the slot that counts, for those that are waited for the semaphore. */
    static boolean between(Hold one, Hold other) {
        String first = one.key().toString();
        String second = other.key().toString();
        if (one.kind() == Kind.PERMITS && other.kind() == Kind.PERMITS) {
            boolean placed = one.slot() != Hold.NO_SLOT && other.slot() != Hold.NO_SLOT;
            return first.equals(second) && (!placed || one.slot() == other.slot());
        }
        boolean meet = first.equals(second)
                || (one.kind() == Kind.SUBTREE && isBelow(second, first))
                || (other.kind() == Kind.SUBTREE && isBelow(first, second));
        return meet && (one.mode() == Mode.EXCLUSIVE || other.mode() == Mode.EXCLUSIVE);
    }

    private static boolean isBelow(String key, String root) {
        return key.startsWith(root + "/");
    }
}
