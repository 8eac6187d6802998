package dev.holdfast.consensus.ratis;

import java.util.concurrent.TimeUnit;

/** Time since something happened, where a mark of 0 means that it did not. */
final class Elapsed {
    private Elapsed() {}

    static long mark() {
        long now = System.nanoTime();
        return now == 0 ? 1 : now;
    }

    static long millisSince(long mark) {
        return mark == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - mark);
    }
}
