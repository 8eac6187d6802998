package dev.holdfast.core.model;

import java.util.List;
import java.util.SplittableRandom;

/** Seeded choices. */
final class Chance {
    private final SplittableRandom random;

    Chance(long seed) {
        random = new SplittableRandom(seed);
    }

    boolean percent(int likelihood) {
        return random.nextInt(100) < likelihood;
    }

    boolean perMille(int likelihood) {
        return random.nextInt(1000) < likelihood;
    }

    /** Both bounds included. */
    long between(long lowest, long highest) {
        return random.nextLong(lowest, highest + 1);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
