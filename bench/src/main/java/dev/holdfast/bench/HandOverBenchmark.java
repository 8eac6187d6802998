package dev.holdfast.bench;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One release, the grant to the next in line, and the former holder at the end of the queue again.
 *
 * <p>There are always 10,000 waiters in all, in many short queues or in a few long ones, so that what
 * differs is the length of a queue and not how much of the memory the caches hold.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class HandOverBenchmark {
    private static final int ALL_WAITERS = 10_000;

    @Param({"10", "100", "10000"})
    public int waiters;

    private MachineLoad workload = new MachineLoad(new LockMachine(), 1);
    private Line[] lines = {};
    private int next;

    /** One queue: the client in front holds the lock. */
    private static final class Line {
        final LockKey key;
        final ArrayDeque<Integer> clients = new ArrayDeque<>();
        long token;

        Line(LockKey key) {
            this.key = key;
        }
    }

    @Setup
    public void queue() {
        int count = ALL_WAITERS / waiters;
        workload = new MachineLoad(new LockMachine(), count * (waiters + 1));
        lines = new Line[count];
        for (int i = 0; i < count; i++) {
            lines[i] = new Line(MachineLoad.key(i));
        }
        for (int client = 0; client < workload.leases(); client++) {
            Line line = lines[client % count];
            List<Command> commands = List.of(workload.acquire(client, line.key).waiting(Command.WAIT_FOREVER));
            Result result = workload.apply(commands).results().get(0);
            if (line.clients.isEmpty()) {
                line.token = MachineLoad.tokenOf(result);
            }
            line.clients.add(client);
        }
    }

    @Benchmark
    public long handOver() {
        Line line = lines[next];
        next = (next + 1) % lines.length;
        int holder = line.clients.remove();
        line.clients.add(holder);
        List<Command> commands = new ArrayList<>(2);
        commands.add(workload.release(holder, line.key, line.token));
        commands.add(workload.acquire(holder, line.key).waiting(Command.WAIT_FOREVER));
        for (Event event : workload.apply(commands).events()) {
            if (event instanceof Event.Granted granted) {
                line.token = granted.token().value();
            }
        }
        return line.token;
    }
}
