package dev.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The {@code holdfast} command in a process of its own; what it writes goes to files. */
public final class Subprocess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path out;
    private final Path err;

    private Subprocess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it. */
    public static Subprocess start(String endpoints, String... arguments) throws IOException {
        return start(Map.of("HOLDFAST_ENDPOINTS", endpoints), List.of(arguments));
    }

    public static Subprocess start(Map<String, String> variables, List<String> arguments) throws IOException {
        Path out = Files.createTempFile("holdfast-", ".out");
        Path err = Files.createTempFile("holdfast-", ".err");
        List<String> command = new ArrayList<>(command());
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(variables);
        return new Subprocess(builder.start(), out, err);
    }

    /** Starts it at a terminal, on which both of its outputs are shown. */
    public static Subprocess atTerminal(String endpoints, Path folder, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(command());
        words.addAll(List.of(arguments));
        String line = words.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        Path script = Files.writeString(folder.resolve("at-terminal.sh"), "exec " + line);
        Path out = Files.createTempFile("holdfast-", ".out");
        Path err = Files.createTempFile("holdfast-", ".err");
        // Not every shell becomes its last command by itself; one that stays would die of Ctrl-C and hide its code.
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", "exec sh " + script, "/dev/null")
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("HOLDFAST_ENDPOINTS", endpoints);
        return new Subprocess(builder.start(), out, err);
    }

    /** Runs it to its end. */
    public static Run run(String endpoints, String... arguments) throws IOException, InterruptedException {
        try (Subprocess started = start(endpoints, arguments)) {
            return started.await();
        }
    }

    /** What starts it: small and quick, for there are many. */
    public static List<String> command() {
        // Whoever runs the tests in the background has them ignore Ctrl-C or a hang-up, and so would these.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT,HUP"));
        command.addAll(ClassArchive.java());
        command.add(Holdfast.class.getName());
        return command;
    }

    /** Writes to its input. */
    public void type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Sends it, and it alone, a signal. */
    public void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " gave " + code);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public Run await() throws InterruptedException {
        return await(PATIENCE_SECONDS);
    }

    /** For one of many that share the machine. */
    public Run await(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("it did not end; it wrote: " + out() + err());
        }
        return new Run(process.exitValue(), out(), err());
    }

    public String out() {
        return read(out);
    }

    public String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.deleteIfExists(out);
        Files.deleteIfExists(err);
    }
}
