package dev.holdfast.bench;

import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** All of 100,000 leases renewed every 10 s of cluster time, as one vector: leases per second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class RenewalBenchmark {
    private static final int LEASES = 100_000;

    private MachineLoad workload = new MachineLoad(new LockMachine(), 1);
    private final long[] ids = new long[LEASES];

    @Setup
    public void start() {
        workload = new MachineLoad(new LockMachine(), LEASES);
        for (int i = 0; i < LEASES; i++) {
            ids[i] = MachineLoad.leaseId(i).value();
        }
    }

    @Benchmark
    @OperationsPerInvocation(LEASES)
    public Applied renew() {
        return workload.renew(ids);
    }
}
