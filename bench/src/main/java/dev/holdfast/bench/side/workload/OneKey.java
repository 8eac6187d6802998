package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Findings;
import java.util.Arrays;

/** Threads want the same key all the time: how often it changes hands, and how evenly. */
public final class OneKey implements Workload {
    public static final String HAND_OVERS = "hand-overs";
    public static final String UNEVENNESS = "max/min per thread";

    private static final int THREADS = 32;

    @Override
    public void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        try (Cluster cluster = system.start(site);
                LockClient client = system.connect(cluster.endpoints(), site.variant());
                Crowd crowd = new Crowd(client, THREADS, "bench/one")) {
            long[] unused = crowd.begun().pairsIn(plan.warmUp());
            for (int i = 0; i < plan.repetitions(); i++) {
                long start = System.nanoTime();
                long[] turns = crowd.pairsIn(plan.measured());
                double seconds = (System.nanoTime() - start) / 1e9;
                findings.add(HAND_OVERS, "a second", Arrays.stream(turns).sum() / seconds);
                findings.add(UNEVENNESS, "ratio", ratio(turns));
            }
        }
    }

    /** Infinite if some thread never had its turn. */
    static double ratio(long[] turns) {
        long most = Arrays.stream(turns).max().orElseThrow();
        long least = Arrays.stream(turns).min().orElseThrow();
        return (double) most / least;
    }
}
