package dev.holdfast.server.access;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How much each may ask in a second: a bucket of tokens for every name, one second's worth deep.
 *
 * <p>A bucket is one number, the time at which it is full again: so taking from it is one comparison, and a bucket
 * that is full needs not be kept.
 */
final class Rates {
    /** Names whose buckets are kept; beyond it those that are full are forgotten. */
    private static final int MAX_NAMES = 100_000;

    private static final long SECOND_NANOS = 1_000_000_000;

    private final long nanosPerRequest;
    private final LongSupplier nanoTime;
    private final ConcurrentHashMap<String, AtomicLong> fullAt = new ConcurrentHashMap<>();

    /** @param perSecond 0 for no limit */
    Rates(int perSecond, LongSupplier nanoTime) {
        this.nanosPerRequest = perSecond == 0 ? 0 : SECOND_NANOS / perSecond;
        this.nanoTime = nanoTime;
    }

    boolean isLimited() {
        return nanosPerRequest > 0;
    }

    long perSecond() {
        return isLimited() ? SECOND_NANOS / nanosPerRequest : 0;
    }

    /** Takes one; or says in how many nanoseconds there will be one, and takes none. */
    long take(String name) {
        if (!isLimited()) {
            return 0;
        }
        AtomicLong bucket = bucket(name);
        while (true) {
            long now = nanoTime.getAsLong();
            long seen = bucket.get();
            long then = Math.max(seen - now, 0) + nanosPerRequest;
            if (then > SECOND_NANOS) {
                return then - SECOND_NANOS;
            }
            if (bucket.compareAndSet(seen, now + then)) {
                return 0;
            }
        }
    }

    /** Takes one in any case; says in how many nanoseconds it would have been there, up to a second. */
    long owe(String name) {
        if (!isLimited()) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        long then = bucket(name)
                .accumulateAndGet(
                        now, (seen, at) -> at + Math.min(Math.max(seen - at, 0) + nanosPerRequest, 2 * SECOND_NANOS));
        return Math.max(then - now - SECOND_NANOS, 0);
    }

    private AtomicLong bucket(String name) {
        AtomicLong bucket = fullAt.get(name);
        if (bucket == null) {
            forgetFull();
            long now = nanoTime.getAsLong();
            bucket = fullAt.computeIfAbsent(name, unused -> new AtomicLong(now));
        }
        return bucket;
    }

    private void forgetFull() {
        if (fullAt.size() >= MAX_NAMES) {
            long now = nanoTime.getAsLong();
            fullAt.values().removeIf(bucket -> bucket.get() - now <= 0);
        }
    }
}
