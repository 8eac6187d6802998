package dev.holdfast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One {@code holdfast server} in a process of its own. */
final class NodeProcess implements AutoCloseable {
    private static final long END_SECONDS = 20;

    private final String name;
    private final Path directory;
    private final Place place;
    private final Map<String, String> settings;
    private final Map<String, String> environment = new HashMap<>();
    private @Nullable Process process;

    /**
     * Where a node runs.
     *
     * @param launcher what its command is given to; nothing for a plain process
     */
    record Place(String host, int clientPort, int peerPort, List<String> launcher) {
        static Place onLoopback(int clientPort, int peerPort) {
            return new Place("127.0.0.1", clientPort, peerPort, List.of());
        }

        String clientAddress() {
            return host + ":" + clientPort;
        }

        String peerAddress() {
            return host + ":" + peerPort;
        }
    }

    NodeProcess(String name, Path directory, Place place, Map<String, String> settings) {
        this.name = name;
        this.directory = directory;
        this.place = place;
        this.settings = settings;
    }

    String name() {
        return name;
    }

    String clientAddress() {
        return place.clientAddress();
    }

    String peerAddress() {
        return place.peerAddress();
    }

    Path directory() {
        return directory;
    }

    /** All that the process has written. */
    String output() throws IOException {
        return Files.exists(outputFile()) ? Files.readString(outputFile()) : "";
    }

    private Path outputFile() {
        return directory.resolveSibling(name + ".out");
    }

    /** Sets variables for processes that are started from now on. */
    NodeProcess with(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    void start() throws IOException {
        start(Map.of());
    }

    /** Starts the process; it appends to the output of those before it. */
    void start(Map<String, String> more) throws IOException {
        List<String> command = new ArrayList<>(place.launcher());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // quick to start; speed is measured elsewhere
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(ServerClasses.options());
        command.addAll(List.of(
                "dev.holdfast.cli.Holdfast",
                "server",
                "--node-name=" + name,
                "--data-dir=" + directory,
                "--client-address=" + clientAddress(),
                "--peer-address=" + peerAddress()));
        settings.forEach((key, value) -> command.add("--" + key + "=" + value));
        more.forEach((key, value) -> command.add("--" + key + "=" + value));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(outputFile().toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
    }

    boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    long pid() {
        return running().pid();
    }

    private Process running() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return running;
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        running().destroyForcibly().waitFor();
    }

    /** SIGTERM; gives the exit code. */
    int terminate() throws InterruptedException {
        running().destroy();
        return awaitExit();
    }

    int awaitExit() throws InterruptedException {
        if (!running().waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " did not end within " + END_SECONDS + " s");
        }
        return running().exitValue();
    }

    /** SIGSTOP: it stands still and does not know. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " gave " + code);
        }
    }

    @Override
    public void close() throws IOException {
        Process running = process;
        if (running != null && running.isAlive()) {
            running.destroyForcibly();
            try {
                running.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
