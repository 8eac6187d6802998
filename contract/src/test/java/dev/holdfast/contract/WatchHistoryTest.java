package dev.holdfast.contract;

import static dev.holdfast.contract.Bursts.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.api.WatchEvent.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of watches when the cluster forgets what they have not seen yet. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchHistoryTest {
    private static final Duration NOW = Duration.ZERO;

    private LocalCluster cluster;
    private HoldfastClient client;
    private HoldfastClient other;

    @BeforeEach
    void start(@TempDir Path root) throws Exception {
        cluster = LocalCluster.start(root, 1);
        client = HoldfastClient.create(cluster.endpoints());
        other = HoldfastClient.create(cluster.endpoints());
    }

    @AfterEach
    void stop() {
        client.close();
        other.close();
        cluster.close();
    }

    @Test
    void watch_of_what_is_gone_ends_with_the_cursor_to_go_on_from() throws Exception {
        try (Operator operator = new Operator(cluster.endpoints())) {
            Bursts.cycle(other, "gone", 20);
            operator.limit("HISTORY_EVENTS", 16);
            AtomicReference<RuntimeException> told = new AtomicReference<>();
            Subscription listening = client.watch("gone").from(1).listen(event -> {}, told::set);
            try (Watch watch = client.watch("gone").from(1).open()) {
                CompactedException gone = catchThrowableOfType(CompactedException.class, watch::next);
                assertThat(gone.oldest()).isNotEqualTo("0-0").startsWith("0-");
                assertThat(gone.next()).isNotEqualTo(gone.oldest()).startsWith("0-");
                assertThatThrownBy(() -> watch.poll(NOW)).isInstanceOf(CompactedException.class);
                await().until(() -> told.get() instanceof CompactedException);
                listening.close();
                try (Watch after = client.watch("gone").from(gone.next()).open()) {
                    Bursts.cycle(other, "gone", 1);
                    assertThat(take(after, 2)).extracting(WatchEvent::kind).containsExactly(Kind.GRANTED, Kind.ENDED);
                }
            }
        }
    }

    @Test
    void reader_that_falls_behind_the_history_gets_what_it_has_then_the_typed_end() throws Exception {
        try (Operator operator = new Operator(cluster.endpoints());
                Watch watch = client.watch("behind/").prefix().open()) {
            // More than the buffer holds: the rest is left in the cluster's history, which is then cut.
            Bursts.burst(other, "behind/", 2_500);
            await().until(() -> operator.status().getWatches() == 0);
            operator.limit("HISTORY_EVENTS", 16);
            AtomicInteger count = new AtomicInteger();
            assertThatThrownBy(() -> {
                        while (true) {
                            watch.next();
                            count.incrementAndGet();
                        }
                    })
                    .isInstanceOf(CompactedException.class);
            assertThat(count.get()).isBetween(3_000, 4_999);
        }
    }
}
