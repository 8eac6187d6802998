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
 * <p>It is given a process group of its own, so that a signal reaches whatever it has started, and a {@link Lifeline},
 * so that it ends when this process dies without a word. Where its input is a terminal it stays in the terminal's group instead: there Ctrl-C,
 * Ctrl-Z and questions for a password work as without Holdfast, and signals go to the processes that descend from it.
 */
final class Child {
    /**
     * Names itself to its lifeline before anything of the command runs, where /proc lets it: were this process to die
     * before it does the same, nobody would know of the command. Java cannot make a group; setsid can.
     */
    private static final String LAUNCH = """
            parent=$1 lifeline=$2 apart=
            shift 2
            { echo $$ >"/proc/$lifeline/fd/0" || kill -s 0 "$parent"; } 2>/dev/null || exit
            [ -t 0 ] || ! command -v setsid >/dev/null || apart=setsid
            exec $apart "$@"
            """;

    private static final String KILL = "kill -s \"$0\" -- \"$@\" 2>/dev/null";

    private static final List<String> AT_TERMINAL = List.of("sh", "-c", "[ -t 0 ]");

    private final Process process;
    private final Lifeline lifeline;

    private Child(Process process, Lifeline lifeline) {
        this.process = process;
        this.lifeline = lifeline;
    }

    /**
     * Starts it with this process's input and outputs.
     *
     * @param grace between SIGTERM and SIGKILL, should this process vanish
     */
    static Child start(List<String> command, Map<String, String> variables, Duration grace) throws IOException {
        Lifeline lifeline = Lifeline.start(grace);
        String self = Long.toString(ProcessHandle.current().pid());
        List<String> launch = List.of("sh", "-c", LAUNCH, "holdfast", self, Long.toString(lifeline.pid()));
        ProcessBuilder builder = new ProcessBuilder(joined(launch, command)).inheritIO();
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            lifeline.holds(process.pid());
            return new Child(process, lifeline);
        } catch (IOException e) {
            lifeline.close();
            throw e;
        }
    }

    /** Waits for its end. */
    int await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    // A child that died of a signal has 128 and its number, as in shells.
                    int code = process.waitFor();
                    lifeline.close();
                    return code;
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
        boolean ended = process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        if (ended) {
            lifeline.close();
        }
        return ended;
    }

    /**
     * Hands on a signal that this process got. Ctrl-C at a terminal has reached the child by itself. Elsewhere that
     * there is no group means that the child is not yet apart, or cannot be.
     */
    void forward(StopSignal signal) {
        if (!signalGroup(signal.name()) && !(signal == StopSignal.INT && isAtTerminal())) {
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

    private static boolean isAtTerminal() {
        return succeeds(new ProcessBuilder(AT_TERMINAL).inheritIO());
    }

    private static boolean signal(String name, List<String> targets) {
        return succeeds(new ProcessBuilder(joined(List.of("sh", "-c", KILL, name), targets)));
    }

    private static boolean succeeds(ProcessBuilder shell) {
        try {
            return shell.start().waitFor() == 0;
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
