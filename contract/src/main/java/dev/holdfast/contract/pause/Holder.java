package dev.holdfast.contract.pause;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.StringTokenizer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A {@link Worker} in a process of its own, as its starter sees it. */
final class Holder implements AutoCloseable {
    /** What a worker did in all. */
    record Account(long updates, long refused, long stale) {}

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final PrintStream orders;
    private volatile long updates;
    private volatile boolean midway;
    private volatile @Nullable Account account;

    private Holder(Process process) {
        this.process = process;
        this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread listener = new Thread(this::listen, "holder-" + process.pid());
        listener.setDaemon(true);
        listener.start();
    }

    static Holder start(Trial trial) throws IOException {
        return new Holder(new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName(),
                        trial.endpoints(),
                        trial.key(),
                        Long.toString(Trial.TTL.toMillis()),
                        trial.tally().getName(),
                        trial.argument()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(new StringTokenizer(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Anything else is somebody's log. */
    private void hear(StringTokenizer words) {
        switch (words.hasMoreTokens() ? words.nextToken() : "") {
            case Worker.UPDATES -> updates = Long.parseLong(words.nextToken());
            case Worker.MIDWAY -> midway = true;
            case Worker.AWAKE -> midway = false;
            case Worker.ACCOUNT ->
                account = new Account(
                        Long.parseLong(words.nextToken()),
                        Long.parseLong(words.nextToken()),
                        Long.parseLong(words.nextToken()));
            default -> {}
        }
    }

    /** How many updates it had made when it last gave the lock back. */
    long updates() {
        return updates;
    }

    /** Has it hold still between a read and a write, and waits until it does. */
    void awaitMidway() {
        orders.println(Worker.MIDWAY);
        awaitAlive(() -> midway);
    }

    /** Lets it go on, as soon as it can. */
    void goOn() {
        orders.println(Worker.AWAKE);
    }

    /** Waits until it has written what it was about to write. */
    void awaitAwake() {
        awaitAlive(() -> !midway);
    }

    /** Lets it finish, and asks what it did. */
    Account end() {
        orders.println(Worker.ACCOUNT);
        awaitAlive(() -> account != null);
        return Objects.requireNonNull(account);
    }

    private void awaitAlive(Callable<Boolean> condition) {
        await().atMost(PATIENCE)
                .failFast("the holder ended", () -> !process.isAlive())
                .until(condition);
    }

    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " gave " + code);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
