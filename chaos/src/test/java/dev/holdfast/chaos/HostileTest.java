package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.operation.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The costliest that anybody may ask, of every operation, over and over, of a node with a small heap, while a stranger's
 * lock is measured: the node lives, the stranger keeps its pace, and every answer is one that a client can make something of.
 */
@Isolated
class HostileTest {
    private static final int CALLERS = 2;
    private static final int WAITERS = Figures.times(500, 5_000);
    private static final Duration PHASE = Duration.ofMillis(Figures.times(800, 5_000));

    private static final int TRIES = 3;

    /** The pace of the stranger: about fifty locks a second. */
    private static final long REST_NANOS = 18_000_000;

    /** Wide where a phase is short. */
    private static final double KEEPS = Figures.LONG ? 0.8 : 0.3;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private volatile boolean stopping;

    @Test
    void nobody_takes_the_service_away() throws Exception {
        try (Cluster cluster = Cluster.single(root).startAll()) {
            List<Clients> own = Stream.generate(Clients::new).limit(CALLERS).toList();
            HostileAnswers answers = new HostileAnswers();
            List<Hostility> callers = new ArrayList<>();
            for (Clients clients : own) {
                long lease = 1_000L + callers.size();
                callers.add(new Hostility(clients, cluster.addresses().get(0), lease, WAITERS, answers));
            }
            Stranger stranger = new Stranger(cluster, REST_NANOS);
            try {
                await().until(() -> stranger.millis().size() > 0);
                List<Map<String, Hostility.Attempt>> attempts =
                        callers.stream().map(Hostility::attempts).toList();
                for (Operation operation : Operation.values()) {
                    assertThat(attempts.get(0).containsKey(operation.name()))
                            .as("asked for: %s", operation)
                            .isNotEqualTo(operation.isForOperators());
                }
                for (String what : attempts.get(0).keySet()) {
                    List<Asking> asking = new ArrayList<>();
                    for (int i = 0; i < CALLERS; i++) {
                        asking.add(new Asking(
                                callers.get(i),
                                Objects.requireNonNull(attempts.get(i).get(what))));
                    }
                    measure(cluster, stranger, asking, what, answers);
                }
            } finally {
                stranger.stop();
                own.forEach(Clients::close);
            }
        }
    }

    private record Asking(Hostility caller, Hostility.Attempt attempt) {}

    /** Others may keep the machine busy just then: what costs a stranger too much does so each time. */
    private void measure(Cluster cluster, Stranger stranger, List<Asking> callers, String what, HostileAnswers answers)
            throws Exception {
        int tries = 1;
        while (!keepsPace(cluster, stranger, callers, what, answers)) {
            assertThat(++tries)
                    .as("how often a stranger lost its pace beside %s", what)
                    .isLessThanOrEqualTo(TRIES);
        }
    }

    private boolean keepsPace(
            Cluster cluster, Stranger stranger, List<Asking> callers, String what, HostileAnswers answers)
            throws Exception {
        int calm = pace(stranger).size();
        AtomicLong asked = new AtomicLong();
        stopping = false;
        List<Throwable> broken = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = callers.stream()
                .map(caller -> new Thread(() -> ask(caller, asked)))
                .toList();
        threads.forEach(thread -> thread.setUncaughtExceptionHandler((which, failure) -> broken.add(failure)));
        threads.forEach(Thread::start);
        List<Long> beset = pace(stranger);
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
        Figures.tell(
                "hostile",
                "%s asked %d times (%s): a stranger got %d locks after %d in the same time before, each after %s ms",
                what,
                asked.get(),
                answers.takeCounts(),
                beset.size(),
                calm,
                Figures.percentiles(beset));
        assertThat(cluster.running()).as("the node, after %s", what).hasSize(1);
        assertThat(broken).as("callers of %s", what).isEmpty();
        assertThat(answers.takeWrong()).as("answers to %s", what).isEmpty();
        assertThat(asked.get()).as("answers to %s", what).isPositive();
        return beset.size() > (int) (KEEPS * calm);
    }

    private static List<Long> pace(Stranger stranger) {
        stranger.millis();
        // How long it lasts is what is measured.
        await().pollDelay(PHASE).until(() -> true);
        return stranger.millis();
    }

    private void ask(Asking asking, AtomicLong asked) {
        try {
            while (!stopping) {
                asking.caller().ask(asking.attempt());
                asked.incrementAndGet();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
