package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.RetryPolicy;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches while nodes come and go. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchResumeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private LocalCluster cluster;
    private HoldfastClient client;
    private HoldfastClient worker;

    @BeforeEach
    void start(@TempDir Path root) throws Exception {
        cluster = LocalCluster.start(root, 3);
        client = HoldfastClient.create(cluster.endpoints());
        worker = HoldfastClient.create(cluster.endpoints());
    }

    @AfterEach
    void stop() {
        client.close();
        worker.close();
        cluster.close();
    }

    private int leader() {
        List<String> addresses = cluster.addresses();
        for (int i = 0; i < addresses.size(); i++) {
            try (Operator operator = new Operator(addresses.get(i))) {
                if (operator.status().getRole().equals("leading")) {
                    return i;
                }
            }
        }
        throw new AssertionError("nobody leads");
    }

    @Test
    void behaviour_26_every_event_comes_once_and_in_order_though_the_leader_is_stopped_and_comes_back()
            throws Exception {
        Queue<WatchEvent> heard = new ConcurrentLinkedQueue<>();
        Queue<WatchEvent> read = new ConcurrentLinkedQueue<>();
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger cycles = new AtomicInteger();
        Watch watch = client.watch("w/").prefix().allEvents().open();
        Subscription listening = client.watch("w/").prefix().allEvents().listen(heard::add);
        Thread reader = new Thread(() -> {
            try {
                while (true) {
                    read.add(watch.next());
                }
            } catch (InterruptedException | IllegalStateException e) {
                // closed at the end of the test
            }
        });
        Thread working = new Thread(() -> {
            while (!done.get()) {
                try {
                    worker.lockAll("w/a", "w/" + cycles.get() % 7).acquire().close();
                    cycles.incrementAndGet();
                } catch (HoldfastException | InterruptedException e) {
                    // A cycle that fails makes no event that is not seen.
                }
            }
        });
        reader.start();
        working.start();
        int stopped = leader();
        await().atMost(PATIENCE).until(() -> cycles.get() > 50);
        cluster.stop(stopped);
        int whenStopped = cycles.get();
        await().atMost(PATIENCE).until(() -> cycles.get() > whenStopped + 50);
        cluster.restart(stopped);
        int again = leader();
        cluster.stop(again);
        int whenStoppedAgain = cycles.get();
        await().atMost(PATIENCE).until(() -> cycles.get() > whenStoppedAgain + 50);
        done.set(true);
        working.join();
        worker.close();
        await().atMost(PATIENCE).until(() -> client.list("w/", 10).isEmpty());
        WatchEvent newest = client.history("w/a", 1).get(0);
        await().atMost(PATIENCE).until(() -> contains(read, newest) && contains(heard, newest));
        try (Watch whole = client.watch("w/").prefix().allEvents().from(1).open()) {
            List<WatchEvent> expected = Bursts.take(whole, read.size());
            assertThat(read).containsExactlyElementsOf(expected);
            assertThat(heard).containsExactlyElementsOf(expected);
            assertThat(whole.poll(Duration.ZERO)).isEmpty();
            assertThat(expected).extracting(WatchEvent::revision).isSorted();
        }
        watch.close();
        listening.close();
        reader.join();
    }

    private static boolean contains(Queue<WatchEvent> events, WatchEvent wanted) {
        return events.stream().anyMatch(event -> event.revision() == wanted.revision());
    }

    @Test
    void behaviour_36_without_a_quorum_a_question_fails_and_says_what_is_missing_while_a_stale_one_is_answered()
            throws Exception {
        try (Grant held = worker.lock("held").acquire();
                HoldfastClient hasty = HoldfastClient.builder(cluster.endpoints())
                        .retry(RetryPolicy.DEFAULT.patience(Duration.ofSeconds(5)))
                        .build()) {
            assertThat(hasty.get("held")).isPresent();
            await().until(() -> isOnEveryNode("held"));
            cluster.stop(0);
            cluster.stop(1);
            assertThatThrownBy(() -> hasty.get("held"))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageMatching("(?s).*(leader|quorum|of 3).*");
            assertThat(hasty.stale().get("held")).isPresent();
            assertThat(held.token()).isPositive();
        }
    }

    private boolean isOnEveryNode(String key) throws InterruptedException {
        for (String address : cluster.addresses()) {
            try (HoldfastClient one = HoldfastClient.create(address)) {
                if (one.stale().get(key).isEmpty()) {
                    return false;
                }
            }
        }
        return true;
    }
}
