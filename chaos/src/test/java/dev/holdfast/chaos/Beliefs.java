package dev.holdfast.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * What clients of this process believe to hold, by whichever door they came: two of them at once is a double grant.
 *
 * <p>A belief that is no longer valid is never valid again. So if one is valid after another has begun, and that one is
 * valid too, there was a moment with both.
 */
final class Beliefs {
    private final List<Belief> held = new ArrayList<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();

    /** Somebody's belief in a key, or in a key and all below it. */
    record Belief(String key, boolean subtree, boolean shared, String who, BooleanSupplier valid) {
        static Belief exclusive(String key, String who, BooleanSupplier valid) {
            return new Belief(key, false, false, who, valid);
        }

        private boolean covers(Belief other) {
            return key.equals(other.key) || (subtree && other.key.startsWith(key + "/"));
        }

        private boolean contradicts(Belief other) {
            return (covers(other) || other.covers(this))
                    && !(shared && other.shared)
                    && valid.getAsBoolean()
                    && other.valid.getAsBoolean();
        }
    }

    /** To be called before its holder does anything. */
    synchronized void enter(Belief belief) {
        for (Belief other : held) {
            if (belief.contradicts(other)) {
                faults.add(new AssertionError("both at once: " + other + " and " + belief));
            }
        }
        held.add(belief);
    }

    /** To be called before its holder gives it back. */
    synchronized void leave(Belief belief) {
        held.remove(belief);
    }

    /** Forgets those that have ended by themselves. */
    synchronized void sweep() {
        held.removeIf(belief -> !belief.valid().getAsBoolean());
    }

    Queue<Throwable> faults() {
        return faults;
    }
}
