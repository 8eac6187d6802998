package dev.holdfast.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A client in a process of its own: {@link ActorCommand}, told what to do line by line. */
final class Actor implements AutoCloseable {
    private final String name;
    private final Process process;
    private final PrintWriter lines;
    private final BufferedReader answers;
    private final long token;

    private Actor(String name, Process process) throws IOException {
        this.name = name;
        this.process = process;
        this.lines = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.token = Long.parseLong(answer(ActorCommand.HOLDS));
    }

    /** Returns once it holds the lock. */
    static Actor start(String name, String endpoints, String key, Duration lease, Path output)
            throws IOException, InterruptedException {
        Process process = Jvm.start(
                List.of(ActorCommand.NAME, name, endpoints, key, lease.toMillis() + "ms"),
                ProcessBuilder.Redirect.PIPE,
                ProcessBuilder.Redirect.to(output.toFile()));
        try {
            return new Actor(name, process);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly().waitFor();
            throw e;
        }
    }

    long pid() {
        return process.pid();
    }

    long token() {
        return token;
    }

    /** SIGKILL: it can do nothing about it. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGSTOP: it stands still, and does not know. */
    void pause() throws IOException, InterruptedException {
        Jvm.signal(process, "STOP");
    }

    void resume() throws IOException, InterruptedException {
        Jvm.signal(process, "CONT");
    }

    /** Asks whether it believes that it holds the lock. */
    boolean believes() throws IOException {
        lines.println(ActorCommand.VALID);
        return Boolean.parseBoolean(answer(ActorCommand.VALID));
    }

    /** Makes it write under its token, whatever it believes; gives what the store answered. */
    String write(String store, String data) throws IOException {
        lines.println(ActorCommand.WRITE + " " + store + " " + data);
        return answer(ActorCommand.WRITE);
    }

    private String answer(String about) throws IOException {
        String line = answers.readLine();
        if (line == null || !line.startsWith(about + " ")) {
            throw new DemoFailure(name + " said '" + line + "' and not what it should about '" + about + "'");
        }
        return line.substring(about.length() + 1);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
