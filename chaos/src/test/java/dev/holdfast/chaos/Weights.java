package dev.holdfast.chaos;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Picks among things, some more often than others. */
final class Weights<T> {
    private final NavigableMap<Integer, T> byBound = new TreeMap<>();
    private int sum;

    /** Adds a thing that is picked so often, beside the others. */
    Weights<T> add(int weight, T thing) {
        sum += weight;
        byBound.put(sum, thing);
        return this;
    }

    T pick(SplittableRandom random) {
        Map.Entry<Integer, T> entry = Objects.requireNonNull(byBound.higherEntry(random.nextInt(sum)));
        return entry.getValue();
    }
}
