package dev.holdfast.simulator.node;

import dev.holdfast.server.propose.Proposing;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.util.function.LongSupplier;

/** The proposing thread of a simulated process, which may stall in the middle of a step. */
final class ProposingLoop implements Proposing {
    private static final int WAKING_NANOS = 1_000;

    private final SimulatedProcess process;
    private LongSupplier step = () -> Long.MAX_VALUE;
    private boolean started;
    private boolean stepping;
    private boolean again;
    private boolean woken;
    private long nextStep;

    ProposingLoop(SimulatedProcess process) {
        this.process = process;
    }

    @Override
    public void start(LongSupplier taken) {
        step = taken;
        started = true;
        wake();
    }

    @Override
    public void wake() {
        if (started && !woken) {
            woken = true;
            process.arrive(WAKING_NANOS, this::step);
        }
    }

    private void step() {
        woken = false;
        if (stepping) {
            again = true; // it stalls
            return;
        }
        stepping = true;
        long pause;
        try {
            pause = step.getAsLong();
        } finally {
            stepping = false;
        }
        if (again) {
            again = false;
            wake();
        }
        long due = process.nanos() + pause;
        nextStep = due;
        var unused = process.schedule(pause, () -> {
            if (nextStep == due) {
                step();
            }
        });
    }

    /** It ends with its process. */
    @Override
    public void close() {
        process.kill();
    }
}
