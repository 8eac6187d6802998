package dev.holdfast.guard.jdbc;

import static org.awaitility.Awaitility.await;

import dev.holdfast.testports.TestPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database server of the tests' own: in a directory under /tmp, on a free port of loopback. */
abstract class ServerProcess implements Database {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path root;
    private final int port = TestPorts.next();
    private final Thread lastResort = new Thread(this::kill, "last-resort");
    private @Nullable Process process;

    ServerProcess(String name) throws IOException {
        root = Files.createTempDirectory("holdfast-" + name);
        // If the tests' process is ended from outside.
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** What serves the data directory. */
    abstract List<String> command();

    /** What ends it soon and in good order. */
    abstract String endSignal();

    final Path root() {
        return root;
    }

    final int port() {
        return port;
    }

    /** Starts the server, again if need be: after a kill, what the dead one left may be in its way for a moment. */
    final void start() {
        await().atMost(PATIENCE).until(this::starts);
    }

    private boolean starts() throws IOException {
        Process running = process;
        if (running == null || !running.isAlive()) {
            process = new ProcessBuilder(command())
                    .directory(root.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            root.resolve("output").toFile()))
                    .start();
        }
        try (Connection connection = DriverManager.getConnection(url())) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Ends it as kill -9 does. */
    final void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().join();
        }
    }

    @Override
    public void close() throws IOException {
        Process running = process;
        if (running != null) {
            new ProcessBuilder("kill", "-" + endSignal(), Long.toString(running.pid()))
                    .inheritIO()
                    .start()
                    .onExit()
                    .join();
            Process ended = running.onExit()
                    .completeOnTimeout(running, 30, TimeUnit.SECONDS)
                    .join();
            if (ended.isAlive()) {
                kill();
            }
        }
        Runtime.getRuntime().removeShutdownHook(lastResort);
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(ServerProcess::delete);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command to its end. */
    final void run(List<String> command) throws IOException, InterruptedException {
        Path output = root.resolve("setup");
        int code = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException(command + " gave " + code + ":\n" + Files.readString(output));
        }
    }

    /** Finds a program by a pattern; the highest version, if there are several. */
    static String program(String debianPackage, String directory, String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        if (Files.isDirectory(Path.of(directory))) {
            try (Stream<Path> files = Files.find(Path.of(directory), 4, (path, attributes) -> matcher.matches(path))) {
                files.forEach(found::add);
            }
        }
        return found.stream()
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new IOException("no " + pattern + " on this machine: install the Debian package "
                        + debianPackage + ", as ./verify does when it may"))
                .toString();
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
