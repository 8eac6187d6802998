package dev.holdfast.cli.talk;

import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.transcript.LiveSession;
import dev.holdfast.transcript.step.TranscriptException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with a lock machine in real time.
 *
 * <p>One thread has the machine and the output: it plays the lines, and it wakes up when something is due, so
 * that an expiry shows up as it happens. Only reading the input is done by the caller's thread.
 */
final class TalkSession implements AutoCloseable {
    /** Lines that show what a lock machine is for; a test plays them. */
    static final List<String> TO_TRY = List.of(
            "alice opens a lease for 15s",
            "alice locks orders/42",
            "bob opens a lease for 10m",
            "bob locks orders/42",
            "history orders/42");

    private static final List<String> BANNER = List.of(
            "Holdfast dev: a lock machine in this process, in memory, not replicated. It is gone when you quit.",
            "Time is real here; \"after 10s\" skips ahead. \"help\" lists all that can be said, \"quit\" ends. To try:",
            "",
            "  1. Alice takes a lock:                    " + TO_TRY.get(0),
            "                                            " + TO_TRY.get(1),
            "  2. Bob waits for it:                      " + TO_TRY.get(2),
            "                                            " + TO_TRY.get(3),
            "  3. Wait until alice's lease ends, then:   " + TO_TRY.get(4),
            "");

    private final Streams streams;
    private final Ink ink;
    private final LiveSession session = new LiveSession();
    private final long startNanos = System.nanoTime();
    private final ScheduledExecutorService machineThread =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "holdfast-talk"));

    /** Touched only on the machine thread, as is the session. */
    private @Nullable Future<?> wakeUp;

    TalkSession(Streams streams) {
        this.streams = streams;
        this.ink = new Ink(streams.coloured());
    }

    /** Reads and plays lines until there are no more, or one says to quit. */
    void run() throws IOException, InterruptedException {
        BANNER.forEach(streams.out()::println);
        prompt();
        for (String line = streams.in().readLine();
                line != null;
                line = streams.in().readLine()) {
            String said = line.strip();
            if (said.equals("quit") || said.equals("exit")) {
                return;
            }
            onMachineThread(() -> answer(said));
        }
        // Playing a blank line ends a block that was still open.
        onMachineThread(() -> print(session.play("", elapsedMillis())));
        if (streams.terminal()) {
            streams.out().println();
        }
    }

    @Override
    public void close() {
        machineThread.shutdownNow();
        streams.out().flush();
    }

    private void answer(String said) {
        if (!streams.terminal()) {
            // Nobody typed it on the screen: with it, the output is a transcript of its own.
            streams.out().println(said);
        }
        if (said.equals("help")) {
            FormsHelp.lines().forEach(streams.out()::println);
        } else {
            play(said);
        }
        prompt();
    }

    private void play(String said) {
        try {
            print(session.play(said, elapsedMillis()));
        } catch (TranscriptException e) {
            streams.out().println(ink.error(String.valueOf(e.getMessage())));
        }
        planWakeUp();
    }

    /** Sees to it that something is done when the next deadline comes. */
    private void planWakeUp() {
        if (wakeUp != null) {
            wakeUp.cancel(false);
        }
        long deadline = session.nextDeadlineMillis();
        if (deadline < Long.MAX_VALUE) {
            long delay = Math.max(1, deadline - elapsedMillis());
            wakeUp = machineThread.schedule(this::wakeUp, delay, TimeUnit.MILLISECONDS);
        }
    }

    private void wakeUp() {
        try {
            List<String> lines = session.advance(elapsedMillis());
            if (!lines.isEmpty()) {
                streams.out().print(streams.terminal() ? ink.clearedLine() : "");
                print(lines);
                prompt();
            }
            planWakeUp();
        } catch (IllegalStateException e) {
            // Nobody waits for this task, so it must speak for itself. The next line that is typed ends the session.
            streams.err().println(ink.error("the lock machine failed: " + e.getMessage()));
        }
    }

    private void print(List<String> lines) {
        lines.forEach(line -> streams.out().println(ink.outcome("    " + line)));
    }

    private void prompt() {
        streams.out().print(streams.terminal() ? ink.prompt() : "");
        streams.out().flush();
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    private void onMachineThread(Runnable task) throws InterruptedException {
        try {
            machineThread.submit(task).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the lock machine failed: " + e.getCause(), e.getCause());
        }
    }
}
