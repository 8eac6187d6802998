package dev.holdfast.cli.output;

import java.util.concurrent.TimeUnit;

/**
 * How far long work has come, on standard error: on a terminal one line that changes, elsewhere a line now and then, and
 * none for work that turns out to be short. Used by one thread.
 */
public final class ProgressLine implements AutoCloseable {
    private static final long TERMINAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long ELSEWHERE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Streams streams;
    private final Ink ink;
    private long toldNanos = System.nanoTime();
    private boolean onLine;

    public ProgressLine(Streams streams) {
        this.streams = streams;
        this.ink = new Ink(streams.coloured());
    }

    /** Shows it, unless something was shown just before. */
    public void tell(String line) {
        long now = System.nanoTime();
        if (now - toldNanos < (streams.terminal() ? TERMINAL_NANOS : ELSEWHERE_NANOS)) {
            return;
        }
        toldNanos = now;
        if (streams.terminal()) {
            streams.err().print(ink.clearedLine() + Printable.of(line));
            onLine = true;
        } else {
            streams.err().println(Printable.of(line));
        }
        streams.err().flush();
    }

    /** Leaves a clear line for what comes. */
    @Override
    public void close() {
        if (onLine) {
            streams.err().print(ink.clearedLine());
            streams.err().flush();
            onLine = false;
        }
    }
}
