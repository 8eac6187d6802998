package dev.holdfast.cli.run;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.Loss;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a lock, and runs a command while it is held.
 *
 * <p>If the lock is lost, the command is ended: SIGTERM to all of it, SIGKILL to what is left of it after the grace
 * time or once its first process has ended. If this process is killed, so is the command. The client of the grant gives the lock back when it is closed, so that the
 * lock is free before this process ends.
 */
public final class UnderLock {
    private final Streams streams;
    private final String name;
    private final Duration grace;
    private final @Nullable String onLost;

    /**
     * What to do.
     *
     * @param name of the command, for messages
     * @param onLost for the shell, should the lock be lost
     */
    public UnderLock(Streams streams, String name, Duration grace, @Nullable String onLost) {
        this.streams = streams;
        this.name = name;
        this.grace = grace;
        this.onLost = onLost;
    }

    /** Asks for the lock. */
    public interface Acquisition {
        /** Empty if it was not free in time. */
        Optional<Grant> acquire() throws InterruptedException;
    }

    /** Runs a command under the lock; gives the exit code. */
    public int run(Acquisition acquisition, List<String> command) throws IOException {
        Stop stop = Stop.interrupting(Thread.currentThread());
        Grant grant = acquired(acquisition, stop);
        try (grant) {
            Map<String, String> variables = variables(grant);
            Child child = stop.start(() -> Child.start(command, variables, grace));
            CompletableFuture<Void> ended =
                    grant.lost().thenAccept(loss -> end(child, grant, loss)).toCompletableFuture();
            int code = child.await();
            if (grant.state() != Grant.State.LOST) {
                return code;
            }
            ended.join();
            return ExitCode.LOST;
        }
    }

    /** Keeps the lock until a signal comes or it is lost. */
    public int stay(Acquisition acquisition, Consumer<Grant> held) {
        Stop stop = Stop.interrupting(Thread.currentThread());
        Grant grant = acquired(acquisition, stop);
        try (grant) {
            held.accept(grant);
            Loss loss = grant.lost().toCompletableFuture().get();
            say(lost(grant, loss));
            runOnLost(grant, loss);
            return ExitCode.LOST;
        } catch (InterruptedException e) {
            return stop.stopped().code();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Grant acquired(Acquisition acquisition, Stop stop) {
        try {
            return acquisition
                    .acquire()
                    .orElseThrow(() -> new Failure(
                            ExitCode.NOT_ACQUIRED, "the lock was not free in time; 'holdfast show' says who holds it"));
        } catch (InterruptedException e) {
            throw stop.stopped();
        }
    }

    private void end(Child child, Grant grant, Loss loss) {
        say(lost(grant, loss) + "; ending the command");
        CompletableFuture<Void> told = CompletableFuture.runAsync(() -> runOnLost(grant, loss));
        child.terminate();
        try {
            var unused = child.endsWithin(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        child.kill();
        told.join();
    }

    private void runOnLost(Grant grant, Loss loss) {
        if (onLost == null) {
            return;
        }
        Map<String, String> variables = variables(grant);
        variables.put("HOLDFAST_LOST", loss.reason().name());
        try {
            Child command = Child.start(List.of("sh", "-c", onLost), variables, grace);
            if (!command.endsWithin(grace)) {
                say("--on-lost took longer than " + grace.toMillis() + " ms and is killed");
                command.kill();
            }
        } catch (IOException e) {
            say("--on-lost could not be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String lost(Grant grant, Loss loss) {
        return "the lock " + grant.key() + " was lost: " + loss.reason()
                + (loss.detail().isEmpty() ? "" : " (" + loss.detail() + ")");
    }

    private void say(String line) {
        streams.err().println(name + ": " + Printable.of(line));
        streams.err().flush();
    }

    private static Map<String, String> variables(Grant grant) {
        Map<String, String> variables = new HashMap<>();
        variables.put("HOLDFAST_KEY", grant.key());
        variables.put("HOLDFAST_FENCING_TOKEN", Long.toString(grant.token()));
        variables.put("HOLDFAST_GRANT", Long.toString(grant.token()));
        return variables;
    }
}
