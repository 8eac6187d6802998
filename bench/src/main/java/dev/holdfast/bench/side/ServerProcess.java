package dev.holdfast.bench.side;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A server in a process of its own, which does not outlive this JVM. */
public final class ServerProcess implements AutoCloseable {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ServerProcess::killAll, "last orders"));
    }

    private final String address;
    private final List<String> command;
    private final Path output;
    private Process process;

    private ServerProcess(String address, List<String> command, Path output) throws IOException {
        this.address = address;
        this.command = command;
        this.output = output;
        this.process = launch(command, output);
    }

    /** Starts a server; what it prints is added to a file. */
    public static ServerProcess start(String address, List<String> command, Path output) throws IOException {
        return new ServerProcess(address, List.copyOf(command), output);
    }

    private static void killAll() {
        RUNNING.forEach(Process::destroyForcibly);
        RUNNING.forEach(process -> process.onExit().join());
    }

    private static Process launch(List<String> command, Path output) throws IOException {
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        RUNNING.add(started);
        return started;
    }

    /** Where clients reach it. */
    public String address() {
        return address;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        RUNNING.remove(process);
    }

    /** Starts it again as it was started first. */
    public void restart() throws IOException, InterruptedException {
        kill();
        process = launch(command, output);
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
