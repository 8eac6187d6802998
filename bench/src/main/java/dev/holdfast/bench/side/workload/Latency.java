package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.report.Figures;
import dev.holdfast.bench.side.report.Findings;
import java.time.Duration;

/** One thread locks and unlocks one key, again and again: how long each takes. */
public final class Latency implements Steady {
    public static final String LOCK = "lock p50";
    public static final String LOCK_TAIL = "lock p99";
    public static final String PAIR = "lock + unlock p50";
    public static final String PAIR_TAIL = "lock + unlock p99";

    @Override
    public Playing begin(LockClient client) throws Exception {
        LockClient.Mutex mutex = client.mutex("bench/latency");
        return new Playing() {
            @Override
            public void warmUp(Duration time) throws Exception {
                cycle(mutex, time, new Samples(), new Samples());
            }

            @Override
            public void measure(Cluster cluster, Duration time, Findings findings) throws Exception {
                Samples locks = new Samples();
                Samples pairs = new Samples();
                cycle(mutex, time, locks, pairs);
                findings.add(LOCK, "ms", millis(locks, 0.5));
                findings.add(LOCK_TAIL, "ms", millis(locks, 0.99));
                findings.add(PAIR, "ms", millis(pairs, 0.5));
                findings.add(PAIR_TAIL, "ms", millis(pairs, 0.99));
            }

            @Override
            public void close() {}
        };
    }

    private static void cycle(LockClient.Mutex mutex, Duration time, Samples locks, Samples pairs) throws Exception {
        long start = System.nanoTime();
        long now = start;
        while (now - start < time.toNanos()) {
            long before = now;
            mutex.lock();
            locks.add(System.nanoTime() - before);
            mutex.unlock();
            now = System.nanoTime();
            pairs.add(now - before);
        }
    }

    private static double millis(Samples samples, double share) {
        return Figures.percentile(samples.toArray(), share) / 1e6;
    }
}
