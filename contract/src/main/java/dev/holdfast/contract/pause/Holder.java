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
import java.util.Map;
import java.util.Objects;
import java.util.StringTokenizer;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A {@link Worker} in a process of its own, as its starter sees it. */
final class Holder implements AutoCloseable {
    /** What a worker did in all. */
    record Account(long updates, long refused, long stale) {}

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final PrintStream orders;
    /** How many updates it had made in all when it gave a grant back, by the grant's token. */
    private final ConcurrentSkipListMap<Long, Long> updates = new ConcurrentSkipListMap<>(Map.of(0L, 0L));

    private volatile long midwayToken;
    private volatile boolean still;
    private volatile @Nullable Account account;
    private volatile boolean silent;

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
        } finally {
            silent = true;
        }
    }

    /** Anything else is somebody's log. */
    private void hear(StringTokenizer words) {
        switch (words.hasMoreTokens() ? words.nextToken() : "") {
            case Worker.UPDATES -> {
                long made = Long.parseLong(words.nextToken());
                updates.put(Long.parseLong(words.nextToken()), made);
            }
            case Worker.MIDWAY -> {
                midwayToken = Long.parseLong(words.nextToken());
                still = true;
            }
            case Worker.REST -> still = true;
            case Worker.AWAKE -> still = false;
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
        return updates.lastEntry().getValue();
    }

    /** How many of them it made under grants with higher tokens than this. */
    long updatesAfter(long token) {
        return updates() - updates.floorEntry(token).getValue();
    }

    /**
     * Has it hold still between a read and a write, and waits until it does.
     *
     * @return the token under which it is about to write
     */
    long awaitMidway() {
        awaitStill(Worker.MIDWAY);
        return midwayToken;
    }

    /** Has it hold still after it gave the lock back, and waits until it does. */
    void awaitRest() {
        awaitStill(Worker.REST);
    }

    private void awaitStill(String where) {
        orders.println(where);
        awaitAlive(() -> still);
    }

    /** Lets it go on, as soon as it can. */
    void goOn() {
        orders.println(Worker.AWAKE);
    }

    /** Waits until it has written what it was about to write, or is at work again. */
    void awaitAwake() {
        awaitAlive(() -> !still);
    }

    /** Lets it finish, and asks what it did. */
    Account end() {
        orders.println(Worker.ACCOUNT);
        awaitAlive(() -> account != null);
        return Objects.requireNonNull(account);
    }

    /** Its last words count, also when they are heard after its end. */
    private void awaitAlive(Callable<Boolean> condition) {
        await().atMost(PATIENCE)
                .failFast("the holder ended", () -> silent && !condition.call())
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
