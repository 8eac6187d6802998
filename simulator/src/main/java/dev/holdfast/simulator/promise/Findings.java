package dev.holdfast.simulator.promise;

import dev.holdfast.simulator.world.World;
import java.util.ArrayList;
import java.util.List;

/** The promises that were broken in a run. */
public final class Findings {
    private static final int MOST = 20;

    private final World world;
    private final List<Finding> found = new ArrayList<>();

    /** A broken promise, and how it was broken. */
    public record Finding(String promise, String what, long atNanos) {
        @Override
        public String toString() {
            return String.format(java.util.Locale.ROOT, "%s at %.6f s: %s", promise, atNanos / 1e9, what);
        }
    }

    public Findings(World world) {
        this.world = world;
    }

    public void report(String promise, String what) {
        if (found.size() < MOST) {
            found.add(new Finding(promise, what, world.now()));
            world.note("!", () -> promise + " BROKEN: " + what);
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public List<Finding> all() {
        return List.copyOf(found);
    }
}
