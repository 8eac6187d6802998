package dev.holdfast.cli.talk;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Streams;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code holdfast talk}: a lock machine to talk to. */
@Command(
        name = "talk",
        description = {
            "Runs a lock machine in this process, in memory, not replicated, and lets you talk to it.",
            "",
            "It reads lines such as \"alice locks orders/42\" from standard input and prints what comes out; leases "
                    + "and waits end by themselves as time passes. 'help' lists all forms, 'quit' ends it."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  echo 'alice opens a lease for 10s' | holdfast talk")
final class Talk implements Callable<Integer> {
    private final Streams streams;

    Talk(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Thread onInterrupt = new Thread(this::leaveQuietly, "holdfast-talk-interrupted");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try (TalkSession session = new TalkSession(streams)) {
            session.run();
        }
        Runtime.getRuntime().removeShutdownHook(onInterrupt);
        return ExitCode.OK;
    }

    /** Ctrl-C is a way to end it like any other; by itself the JVM would call that a failure. */
    private void leaveQuietly() {
        streams.out().println();
        streams.out().flush();
        Runtime.getRuntime().halt(ExitCode.OK);
    }
}
