package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.CpuTime;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Findings;
import java.util.Arrays;

/** Threads lock and unlock, each a key of its own: pairs a second, and the processor time they cost in all. */
public final class OwnKeys implements Workload {
    public static final String PAIRS = "pairs";
    public static final String CPU = "CPU per 1,000 pairs";

    private final int threads;

    public OwnKeys(int threads) {
        this.threads = threads;
    }

    @Override
    public void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        try (Cluster cluster = system.start(site);
                LockClient client = system.connect(cluster.endpoints(), site.variant());
                Crowd crowd = new Crowd(client, threads, "bench/own/%d")) {
            long[] unused = crowd.begun().pairsIn(plan.warmUp());
            for (int i = 0; i < plan.repetitions(); i++) {
                double cpu = CpuTime.withThisProcess(cluster.servers());
                long start = System.nanoTime();
                long pairs = Arrays.stream(crowd.pairsIn(plan.measured())).sum();
                double seconds = (System.nanoTime() - start) / 1e9;
                cpu = CpuTime.withThisProcess(cluster.servers()) - cpu;
                findings.add(PAIRS, "pairs/s", pairs / seconds);
                findings.add(CPU, "s", cpu * 1_000 / Math.max(1, pairs));
            }
        }
    }
}
