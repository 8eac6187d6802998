package dev.holdfast.bench;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import java.util.ArrayList;
import java.util.List;
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

/** Acquire and release of distinct keys while 100,000 other keys are held: pairs per second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class PairsBenchmark {
    private static final int HELD = 100_000;
    private static final int OTHERS = 100_000;
    private static final int LEASES = 1_000;
    private static final int PAIRS_PER_ENTRY = 100;

    private MachineLoad workload = new MachineLoad(new LockMachine(), LEASES);
    private LockKey[] others = new LockKey[0];
    private int next;

    @Setup
    public void hold() {
        workload = new MachineLoad(new LockMachine(), LEASES);
        workload.hold(0, HELD);
        others = new LockKey[OTHERS];
        // A stride scatters neighbouring requests over the whole key space.
        for (int i = 0; i < OTHERS; i++) {
            others[i] = MachineLoad.key(HELD + (int) (i * 7_919L % OTHERS));
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS_PER_ENTRY)
    public Applied acquireAndRelease() {
        List<Command> commands = new ArrayList<>(PAIRS_PER_ENTRY);
        for (int i = 0; i < PAIRS_PER_ENTRY; i++) {
            commands.add(workload.acquire((next + i) % LEASES, others[(next + i) % OTHERS]));
        }
        Applied granted = workload.apply(commands);
        commands.clear();
        for (int i = 0; i < PAIRS_PER_ENTRY; i++) {
            long token = MachineLoad.tokenOf(granted.results().get(i));
            commands.add(workload.release((next + i) % LEASES, others[(next + i) % OTHERS], token));
        }
        next = (next + PAIRS_PER_ENTRY) % OTHERS;
        return workload.apply(commands);
    }
}
