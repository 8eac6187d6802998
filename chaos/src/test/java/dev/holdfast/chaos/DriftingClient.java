package dev.holdfast.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The process of a {@link DriftingHolder}, and what it has told. */
final class DriftingClient implements AutoCloseable {
    private final Process process;
    private final Thread reader;
    private final Queue<HandOffs.Belief> beliefs = new ConcurrentLinkedQueue<>();
    private volatile double rate = Double.NaN;

    DriftingClient(List<String> launcher, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(ServerClasses.command("256m", DriftingHolder.class, arguments.toArray(String[]::new)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        process = builder.start();
        reader = new Thread(this::read, "beliefs");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(" ", -1);
                if (fields[0].equals("hold")) {
                    beliefs.add(HandOffs.Belief.of(fields, process.pid()));
                } else if (fields[0].equals("rate")) {
                    rate = Double.parseDouble(fields[1]);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it believed to hold, as far as that is over. */
    List<HandOffs.Belief> beliefs() {
        return List.copyOf(beliefs);
    }

    /** Ends it, and gives how fast its clock ran. */
    double stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        reader.join();
        process.waitFor();
        return rate;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
