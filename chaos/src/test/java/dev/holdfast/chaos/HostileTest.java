package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.operation.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The costliest that anybody may ask, of every operation, over and over, of a node with a small heap, while a stranger's
 * lock is measured: the node lives, and the stranger keeps its pace.
 */
@Isolated
class HostileTest {
    private static final int CALLERS = 2;
    private static final int WAITERS = Figures.times(500, 5_000);
    private static final Duration PHASE = Duration.ofMillis(Figures.times(800, 5_000));

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
            List<Hostility> callers = new ArrayList<>();
            for (Clients clients : own) {
                callers.add(new Hostility(clients, cluster.addresses().get(0), 1_000L + callers.size(), WAITERS));
            }
            Stranger stranger = new Stranger(cluster, REST_NANOS);
            try {
                await().until(() -> stranger.millis().size() > 0);
                for (Operation operation : Operation.values()) {
                    if (!operation.isForOperators()) {
                        measure(cluster, stranger, callers, operation);
                    }
                }
            } finally {
                stranger.stop();
                own.forEach(Clients::close);
            }
        }
    }

    private void measure(Cluster cluster, Stranger stranger, List<Hostility> callers, Operation operation)
            throws Exception {
        int calm = pace(stranger).size();
        AtomicLong asked = new AtomicLong();
        stopping = false;
        List<Thread> threads = callers.stream()
                .map(caller -> new Thread(() -> ask(caller, operation, asked)))
                .toList();
        threads.forEach(Thread::start);
        List<Long> beset = pace(stranger);
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
        Figures.tell(
                "hostile",
                "%s asked %d times: a stranger got %d locks after %d in the same time before, each after %s ms",
                operation,
                asked.get(),
                beset.size(),
                calm,
                Figures.percentiles(beset));
        assertThat(cluster.running()).as("the node, after %s", operation).hasSize(1);
        assertThat(beset.size()).as("a stranger's locks beside %s", operation).isGreaterThan((int) (KEEPS * calm));
    }

    private static List<Long> pace(Stranger stranger) {
        stranger.millis();
        // How long it lasts is what is measured.
        await().pollDelay(PHASE).until(() -> true);
        return stranger.millis();
    }

    private void ask(Hostility caller, Operation operation, AtomicLong asked) {
        try {
            while (!stopping) {
                caller.ask(operation);
                asked.incrementAndGet();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
