package dev.holdfast.cli.demo;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code holdfast demo}: shows what a lock service is for, and what it must survive, in under a minute. */
@Command(
        name = "demo",
        description = {
            "Tells four stories on a real cluster of three processes on this machine, in under a minute:",
            "contention, a holder that crashes, a paused holder that writes too late, a leader that is killed.",
            "",
            "Each step is checked. The exit code is 0 if everything came out right, otherwise 1."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = ExitCode.USAGE,
        exitCodeOnExecutionException = ExitCode.FAULT,
        footerHeading = "%nExample:%n",
        footer = "  holdfast demo")
public final class Demo implements Callable<Integer> {
    private static final List<Chapter> CHAPTERS =
            List.of(new Contention(), new Crash(), new LateWriter(), new LeaderKilled());

    private final Streams streams;
    private final Narrator narrator;
    private volatile @Nullable Stage stage;
    private volatile boolean ending;

    private Demo(Streams streams) {
        this.streams = streams;
        this.narrator = new Narrator(streams);
    }

    /** The command, and the hidden one that its players run. */
    public static List<Object> all(Streams streams) {
        return List.of(new Demo(streams), new ActorCommand(streams));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.errorsOnly();
        long begun = System.nanoTime();
        TemporaryDirectory directory = TemporaryDirectory.create("holdfast-demo-");
        // Ctrl-C: nodes and players are processes of their own, and one of them may stand still.
        Thread hook = new Thread(() -> end(directory), "holdfast-demo-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        boolean right = play(directory.path());
        if (ending) {
            return ExitCode.DIFFERENT; // the process ends anyway
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        if (!right) {
            directory.keep();
            streams.err().println("holdfast demo: what the nodes and players wrote is in " + directory.path());
        }
        end(directory);
        streams.out().printf("%nAll of it took %d s.%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
        return right ? ExitCode.OK : ExitCode.DIFFERENT;
    }

    private void end(TemporaryDirectory directory) {
        ending = true;
        Stage set = stage;
        if (set != null) {
            set.close();
        }
        try {
            directory.close();
        } catch (IOException e) {
            streams.err().println("holdfast demo: could not remove " + directory.path() + ": " + e);
        }
    }

    private boolean play(Path directory) throws InterruptedException {
        narrator.title("A cluster of three nodes");
        Set<Chapter> right = new HashSet<>();
        try {
            LocalNodes started = LocalNodes.start(directory);
            Stage set = new Stage(narrator, started, directory);
            stage = set;
            narrator.does("processes " + started.pids() + " at " + started.endpoints());
            narrator.comesOut(started.leader() + " leads");
            for (int i = 0; i < CHAPTERS.size() && !ending; i++) {
                narrator.title((i + 1) + ". " + CHAPTERS.get(i).title());
                if (cameOutRight(CHAPTERS.get(i), set)) {
                    right.add(CHAPTERS.get(i));
                }
            }
        } catch (IOException | DemoFailure e) {
            narrator.wrong("the cluster did not start: " + e.getMessage());
        }
        if (!ending) {
            narrator.title("What was shown");
            CHAPTERS.forEach(chapter -> narrator.verdict(right.contains(chapter), chapter.shown()));
        }
        return right.size() == CHAPTERS.size();
    }

    private boolean cameOutRight(Chapter chapter, Stage set) throws InterruptedException {
        try {
            chapter.play(set);
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (!ending) {
                narrator.wrong(e instanceof DemoFailure ? String.valueOf(e.getMessage()) : e.toString());
            }
            return false;
        }
    }
}
