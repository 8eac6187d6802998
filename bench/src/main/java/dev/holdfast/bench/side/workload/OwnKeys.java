package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.CpuTime;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.report.Findings;
import java.time.Duration;
import java.util.Arrays;

/** Threads lock and unlock, each a key of its own: pairs a second, and the processor time they cost in all. */
public final class OwnKeys implements Steady {
    public static final String PAIRS = "pairs";
    public static final String CPU = "CPU per 1,000 pairs";

    private final int threads;

    public OwnKeys(int threads) {
        this.threads = threads;
    }

    @Override
    public Playing begin(LockClient client) throws Exception {
        Crowd crowd = new Crowd(client, threads, "bench/own/%d").begun();
        return new Playing() {
            @Override
            public void warmUp(Duration time) throws Exception {
                long[] unused = crowd.pairsIn(time);
            }

            @Override
            public void measure(Cluster cluster, Duration time, Findings findings) throws Exception {
                double cpu = CpuTime.withThisProcess(cluster.servers());
                long start = System.nanoTime();
                long pairs = Arrays.stream(crowd.pairsIn(time)).sum();
                double seconds = (System.nanoTime() - start) / 1e9;
                cpu = CpuTime.withThisProcess(cluster.servers()) - cpu;
                findings.add(PAIRS, "pairs/s", pairs / seconds);
                findings.add(CPU, "s", cpu * 1_000 / Math.max(1, pairs));
            }

            @Override
            public void close() {
                crowd.close();
            }
        };
    }
}
