package dev.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command as people run it: a process of its own. */
public final class Child implements AutoCloseable {
    private static final long LONGEST_SECONDS = 90;

    private final Process process;
    private final Path out;
    private final Path err;

    private Child(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    public static Child start(String... args) throws IOException {
        return start(Map.of(), args);
    }

    public static Child start(Map<String, String> environment, String... args) throws IOException {
        Path out = Files.createTempFile("holdfast-out", "");
        Path err = Files.createTempFile("holdfast-err", "");
        List<String> command = new ArrayList<>(List.of(
                // Whoever runs the tests in the background has them ignore Ctrl-C, and so would these.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // quick to start; speed is measured elsewhere
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Holdfast.class.getName()));
        command.addAll(List.of(args));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().putAll(environment);
        return new Child(builder.start(), out, err);
    }

    /** Runs it to its end. */
    public static Run run(String... args) throws IOException, InterruptedException {
        try (Child child = start(args)) {
            return child.await();
        }
    }

    public Run await() throws IOException, InterruptedException {
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("did not end; it wrote " + out() + err());
        }
        return new Run(process.exitValue(), out(), err());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String out() throws IOException {
        return Files.readString(out);
    }

    public String err() throws IOException {
        return Files.readString(err);
    }

    /** A signal by its name, such as INT. */
    public void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " gave " + code);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.delete(out);
        Files.delete(err);
    }
}
