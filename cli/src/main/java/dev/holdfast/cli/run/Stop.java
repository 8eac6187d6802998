package dev.holdfast.cli.run;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the signals that ask this process to end: while it waits, they end the wait; while a child runs, they
 * go to the child.
 *
 * <p>The JVM's own way, to end with shutdown hooks, does not tell which signal it was, and the child is to get the same.
 */
public final class Stop {
    private final Thread waiting;
    private @Nullable StopSignal first;
    private @Nullable Child child;

    private Stop(Thread waiting) {
        this.waiting = waiting;
    }

    /** From now on signals interrupt this thread, until there is a child. */
    public static Stop interrupting(Thread waiting) {
        Stop stop = new Stop(waiting);
        for (StopSignal signal : StopSignal.values()) {
            Signals.redirect(signal, () -> stop.accept(signal));
        }
        return stop;
    }

    private synchronized void accept(StopSignal signal) {
        first = first == null ? signal : first;
        if (child == null) {
            waiting.interrupt();
        } else {
            child.forward(signal);
        }
    }

    /** Starts the child that gets the signals from now on; none, if one has come before. */
    synchronized Child start(Callable<Child> starting) throws IOException {
        if (first != null) {
            throw stopped();
        }
        try {
            Child started = starting.call();
            child = started;
            return started;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a command ends with that was stopped while it waited. */
    public synchronized Failure stopped() {
        StopSignal signal = first == null ? StopSignal.INT : first;
        return new Failure(ExitCode.SIGNAL + signal.number(), "stopped by SIG" + signal + "; nothing is held");
    }
}
