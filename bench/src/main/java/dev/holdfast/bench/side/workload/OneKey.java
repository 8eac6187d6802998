package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.report.Findings;
import java.time.Duration;
import java.util.Arrays;

/** Threads want the same key all the time: how often it changes hands, and how evenly. */
public final class OneKey implements Steady {
    public static final String HAND_OVERS = "hand-overs";
    public static final String UNEVENNESS = "max/min per thread";

    private static final int THREADS = 32;

    @Override
    public Playing begin(LockClient client) throws Exception {
        Crowd crowd = new Crowd(client, THREADS, "bench/one").begun();
        return new Playing() {
            @Override
            public void warmUp(Duration time) throws Exception {
                long[] unused = crowd.pairsIn(time);
            }

            @Override
            public void measure(Cluster cluster, Duration time, Findings findings) throws Exception {
                long start = System.nanoTime();
                long[] turns = crowd.pairsIn(time);
                double seconds = (System.nanoTime() - start) / 1e9;
                findings.add(HAND_OVERS, "a second", Arrays.stream(turns).sum() / seconds);
                findings.add(UNEVENNESS, "ratio", ratio(turns));
            }

            @Override
            public void close() {
                crowd.close();
            }
        };
    }

    /** Infinite if some thread never had its turn. */
    static double ratio(long[] turns) {
        long most = Arrays.stream(turns).max().orElseThrow();
        long least = Arrays.stream(turns).min().orElseThrow();
        return (double) most / least;
    }
}
