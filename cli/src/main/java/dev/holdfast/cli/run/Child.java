package dev.holdfast.cli.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A command of the user's, with all that it starts.
 *
 * <p>It is given a process group of its own, so that a signal reaches whatever it has started, and it is told when this
 * process dies without a word. Where its input is a terminal it stays in the terminal's group instead: there Ctrl-C,
 * Ctrl-Z and questions for a password work as without Holdfast, and signals go to the processes that descend from it.
 */
final class Child {
    /** Java can neither make a group nor ask to be followed into death; these tools can, where they are installed. */
    private static final String LAUNCH = """
            apart= follow=
            [ -t 0 ] || ! command -v setsid >/dev/null || apart=setsid
            setpriv --pdeathsig TERM true 2>/dev/null && follow='setpriv --pdeathsig TERM --'
            exec $apart $follow "$@"
            """;

    private static final String KILL = "kill -s \"$0\" -- \"$@\" 2>/dev/null";

    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    /** Starts it with this process's input and outputs. */
    static Child start(List<String> command, Map<String, String> variables) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(joined(List.of("sh", "-c", LAUNCH, "holdfast"), command)).inheritIO();
        builder.environment().putAll(variables);
        return new Child(builder.start());
    }

    /** Waits for its end. */
    int await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    // A child that died of a signal has 128 and its number, as in shells.
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Hands on a signal that this process got. Ctrl-C at a terminal has reached the child by itself. */
    void forward(StopSignal signal) {
        if (!signalGroup(signal.name()) && signal != StopSignal.INT) {
            signalTree(signal.name());
        }
    }

    void terminate() {
        signalAll("TERM");
    }

    void kill() {
        signalAll("KILL");
    }

    private void signalAll(String name) {
        if (!signalGroup(name)) {
            signalTree(name);
        }
    }

    private boolean signalGroup(String name) {
        return signal(name, List.of("-" + process.pid()));
    }

    private void signalTree(String name) {
        // The number of a process that has ended may be another's by now.
        if (process.isAlive()) {
            var unused = signal(
                    name,
                    Stream.concat(Stream.of(process.toHandle()), process.descendants())
                            .map(handle -> Long.toString(handle.pid()))
                            .toList());
        }
    }

    private static boolean signal(String name, List<String> targets) {
        try {
            return new ProcessBuilder(joined(List.of("sh", "-c", KILL, name), targets))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            throw new IllegalStateException("cannot run sh to signal the command", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
