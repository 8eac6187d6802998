package dev.holdfast.simulator.network;

import dev.holdfast.simulator.world.SimulatedProcess;
import io.grpc.ServerMethodDefinition;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A process on the network, with its open connections. */
public final class Host {
    private final SimulatedProcess process;
    private final Executor executor;
    private final Function<String, @Nullable ServerMethodDefinition<?, ?>> methods;
    private final Set<StreamCall<?, ?>> calls = new LinkedHashSet<>();

    /**
     * A process that can be called.
     *
     * @param executor where calls are handled
     * @param methods what can be called, by full name
     */
    public Host(
            SimulatedProcess process,
            Executor executor,
            Function<String, @Nullable ServerMethodDefinition<?, ?>> methods) {
        this.process = process;
        this.executor = executor;
        this.methods = methods;
    }

    /** A process that only calls others. */
    public static Host caller(SimulatedProcess process) {
        return new Host(process, Runnable::run, name -> null);
    }

    SimulatedProcess process() {
        return process;
    }

    Executor executor() {
        return executor;
    }

    @Nullable
    ServerMethodDefinition<?, ?> method(String name) {
        return methods.apply(name);
    }

    Set<StreamCall<?, ?>> calls() {
        return calls;
    }

    /** Breaks its connections, as the end of a process does. */
    public void hangUp() {
        List.copyOf(calls).forEach(call -> call.lost(this));
    }

    /** Breaks about one connection in so many. */
    public void shake(int oneIn) {
        for (StreamCall<?, ?> call : List.copyOf(calls)) {
            if (call.chance().nextInt(oneIn) == 0) {
                call.breakOff();
            }
        }
    }
}
