package dev.holdfast.guard.jdbc;

/** Where chance comes from: {@code -Dholdfast.seed} repeats a run. */
final class Seed {
    private Seed() {}

    static long of(String test) {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        System.out.println(test + ": seed " + seed);
        return seed;
    }
}
