package dev.holdfast.contract;

import static dev.holdfast.contract.Bursts.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.RetryPolicy;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.api.WatchEvent.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchTest {
    private static final Duration NOW = Duration.ZERO;

    @TempDir
    private static Path root;

    private static LocalCluster cluster;

    private final HoldfastClient client = connect();
    private final HoldfastClient other = connect();

    private static HoldfastClient connect() {
        return HoldfastClient.create(cluster.endpoints());
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.start(root, 1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
    }

    @Test
    void what_happens_after_open_has_returned_is_seen_with_all_that_is_known_of_it() throws Exception {
        try (Watch watch = client.watch("seen").open()) {
            Grant grant = other.lock("seen")
                    .purpose("reindex")
                    .metadata("here".getBytes(StandardCharsets.UTF_8))
                    .acquire();
            WatchEvent granted = watch.next();
            assertThat(granted.kind()).isEqualTo(Kind.GRANTED);
            assertThat(granted.key()).isEqualTo("seen");
            assertThat(granted.token()).isEqualTo(grant.token());
            assertThat(granted.purpose()).isEqualTo("reindex");
            assertThat(granted.metadata().text()).isEqualTo("here");
            assertThat(granted.holder()).isNotEmpty();
            assertThat(granted.shared()).isFalse();
            assertThat(granted.slots()).isEmpty();
            assertThat(granted.reason()).isEmpty();
            assertThat(granted.previous()).isEmpty();
            assertThat(watch.cursor()).isEqualTo(granted.cursor()).isEqualTo("0-" + granted.revision());
            var unused = grant.release();
            WatchEvent ended = watch.next();
            assertThat(ended.kind()).isEqualTo(Kind.ENDED);
            assertThat(ended.reason()).contains(WatchEvent.Reason.RELEASED);
            assertThat(ended.revision()).isGreaterThan(granted.revision());
            assertThat(watch.poll(NOW)).isEmpty();
        }
    }

    @Test
    void queueing_and_leaving_are_told_where_asked_for() throws Exception {
        try (Watch all = client.watch("queue").allEvents().open();
                Watch grants = client.watch("queue").open();
                Grant held = other.lock("queue").acquire()) {
            assertThat(client.lock("queue").waitAtMost(Duration.ofMillis(10)).tryAcquire())
                    .isEmpty();
            var unused = held.release();
            assertThat(take(all, 4))
                    .extracting(WatchEvent::kind)
                    .containsExactly(Kind.GRANTED, Kind.QUEUED, Kind.LEFT, Kind.ENDED);
            assertThat(take(grants, 2)).extracting(WatchEvent::kind).containsExactly(Kind.GRANTED, Kind.ENDED);
        }
    }

    @Test
    void prefix_sees_every_key_below_and_events_of_one_revision_stay_together() throws Exception {
        try (Watch watch = client.watch("tree/").prefix().open()) {
            other.lock("elsewhere").acquire().close();
            Grant both = other.lockAll("tree/a", "tree/b", "forest").acquire();
            WatchEvent first = watch.next();
            assertThat(watch.cursor())
                    .as("the revision is given out in part only")
                    .isEqualTo(first.cursor())
                    .isEqualTo("0-" + (first.revision() - 1));
            WatchEvent second = watch.next();
            assertThat(watch.cursor()).isEqualTo(second.cursor()).isEqualTo("0-" + first.revision());
            assertThat(List.of(first, second)).extracting(WatchEvent::key).containsExactly("tree/a", "tree/b");
            assertThat(second.revision()).isEqualTo(first.revision());
            both.close();
        }
    }

    @Test
    void previous_values_come_where_asked_for() throws Exception {
        try (Watch watch = client.watch("previous").previous().open()) {
            Grant grant = other.lock("previous")
                    .purpose("p")
                    .metadata("old".getBytes(StandardCharsets.UTF_8))
                    .acquire();
            grant.describe("new".getBytes(StandardCharsets.UTF_8));
            grant.downgrade();
            var unused = grant.release();
            List<WatchEvent> events = take(watch, 4);
            assertThat(events)
                    .extracting(WatchEvent::kind)
                    .containsExactly(Kind.GRANTED, Kind.DESCRIBED, Kind.MODE_CHANGED, Kind.ENDED);
            assertThat(events.get(0).previous()).isEmpty();
            assertThat(events.get(1).metadata().text()).isEqualTo("new");
            assertThat(events.get(1).previous().orElseThrow().metadata().text()).isEqualTo("old");
            assertThat(events.get(2).shared()).isTrue();
            assertThat(events.get(2).previous().orElseThrow().shared()).isFalse();
            WatchEvent.Previous last = events.get(3).previous().orElseThrow();
            assertThat(last.shared()).isTrue();
            assertThat(last.purpose()).isEqualTo("p");
            assertThat(last.metadata().text()).isEqualTo("new");
            assertThat(last.token()).isEqualTo(grant.token());
        }
    }

    @Test
    void permits_show_their_slots() throws Exception {
        try (Watch watch = client.watch("permits").open();
                Grant two = other.semaphore("permits", 3, 2).acquire()) {
            WatchEvent granted = take(watch, 1).get(0);
            assertThat(granted.permits()).isEqualTo(2);
            assertThat(granted.slots()).isEqualTo(two.slots("permits")).containsExactly(0, 1);
        }
    }

    @Test
    void watch_from_a_cursor_or_revision_gives_the_past_first_and_goes_on_where_another_stopped() throws Exception {
        Watch first = client.watch("past").open();
        Bursts.cycle(other, "past", 3);
        List<WatchEvent> seen = take(first, 3);
        first.close();
        try (Watch second = client.watch("past").from(first.cursor()).open();
                Watch whole = client.watch("past").from(1).open()) {
            Bursts.cycle(other, "past", 2);
            seen.addAll(take(second, 7));
            assertThat(take(whole, 10)).containsExactlyElementsOf(seen);
        }
    }

    @Test
    void a_thousand_events_come_through_iterator_and_listener_alike() throws Exception {
        Queue<WatchEvent> heard = new ConcurrentLinkedQueue<>();
        Subscription listening = client.watch("thousand").listen(heard::add);
        try (Watch watch = client.watch("thousand").open()) {
            Bursts.cycle(other, "thousand", 500);
            List<WatchEvent> read = take(watch, 1_000);
            await().until(() -> heard.size() >= 1_000);
            assertThat(heard).containsExactlyElementsOf(read);
            assertThat(read).extracting(WatchEvent::revision).isSorted().doesNotHaveDuplicates();
        }
        listening.close();
    }

    /** Also of those that earlier tests left: a node hears of the end of a stream a little later. */
    private static void awaitNoWatches(Operator operator) {
        await().until(() -> operator.status().getWatches() == 0);
    }

    @Test
    void a_reader_that_falls_behind_more_than_the_buffer_holds_gets_every_event_once_all_the_same() throws Exception {
        try (Operator operator = new Operator(cluster.endpoints())) {
            awaitNoWatches(operator);
            Watch slow = client.watch("slow/").prefix().open();
            assertThat(operator.status().getWatches()).isEqualTo(1);
            Bursts.burst(other, "slow/", 4_500);
            awaitNoWatches(operator);
            assertThat(take(slow, 9_000))
                    .extracting(WatchEvent::revision)
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(slow.poll(NOW)).isEmpty();
            Bursts.cycle(other, "slow/0", 1);
            assertThat(take(slow, 2)).extracting(WatchEvent::key).containsOnly("slow/0");
            slow.close();
        }
    }

    @Test
    void behaviour_35_a_listener_that_blocks_for_ever_blocks_nothing_else() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        Queue<WatchEvent> heard = new ConcurrentLinkedQueue<>();
        Subscription stuck = client.watch("stuck/").prefix().listen(event -> {
            blocked.countDown();
            awaitQuietly(never);
        });
        Subscription listening = client.watch("stuck/").prefix().listen(heard::add);
        try (Watch watch = client.watch("stuck/").prefix().open()) {
            Bursts.burst(other, "stuck/", 2_500);
            blocked.await();
            assertThat(take(watch, 5_000)).hasSize(5_000);
            await().until(() -> heard.size() == 5_000);
            assertThat(client.get("stuck/1")).isEmpty();
            client.lock("free").acquire().close();
        }
        listening.close();
        stuck.close();
        never.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void behaviour_35_listeners_never_run_on_threads_that_read_from_the_network_nor_two_at_a_time() throws Exception {
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Subscription listening = client.watch("threads").listen(event -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            threads.add(Thread.currentThread().getName());
            running.decrementAndGet();
        });
        Bursts.cycle(other, "threads", 200);
        await().until(() -> threads.size() == 400);
        assertThat(threads).allMatch(name -> name.startsWith("holdfast-client-callback"));
        assertThat(most).hasValue(1);
        listening.close();
    }

    @Test
    void listener_that_throws_gets_the_next_event_all_the_same() throws Exception {
        Queue<WatchEvent> heard = new ConcurrentLinkedQueue<>();
        Subscription listening = client.watch("throws").listen(event -> {
            heard.add(event);
            throw new IllegalStateException("on purpose, in a test");
        });
        Bursts.cycle(other, "throws", 3);
        await().until(() -> heard.size() == 6);
        listening.close();
    }

    @Test
    void closed_listener_hears_nothing_more_and_the_server_forgets_the_watch() throws Exception {
        Queue<WatchEvent> heard = new ConcurrentLinkedQueue<>();
        try (Operator operator = new Operator(cluster.endpoints())) {
            awaitNoWatches(operator);
            Subscription listening = client.watch("left").listen(heard::add);
            assertThat(operator.status().getWatches()).isEqualTo(1);
            listening.close();
            awaitNoWatches(operator);
            Bursts.cycle(other, "left", 1);
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void close_ends_a_call_that_waits_and_an_interrupt_does_too() throws Exception {
        Watch watch = client.watch("quiet").open();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread reader = new Thread(() -> {
            try {
                thrown.set(new AssertionError(watch.next()));
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
        });
        reader.start();
        await().until(() -> reader.getState() == Thread.State.TIMED_WAITING);
        watch.close();
        reader.join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        try (Watch again = client.watch("quiet").open()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(again::next).isInstanceOf(InterruptedException.class);
            Bursts.cycle(other, "quiet", 1);
            assertThat(take(again, 2)).hasSize(2);
        }
    }

    private static long revision(String cursor) {
        return Long.parseLong(cursor.substring(cursor.indexOf('-') + 1));
    }

    @Test
    void watch_from_a_revision_to_come_waits_for_it() throws Exception {
        try (Watch now = client.watch("ahead").open();
                Watch ahead =
                        client.watch("ahead").from(revision(now.cursor()) + 7).open()) {
            Bursts.cycle(other, "ahead", 4);
            long start = now.next().revision();
            assertThat(ahead.next().revision()).isGreaterThanOrEqualTo(start + 5);
        }
    }

    @Test
    void what_the_cluster_refuses_is_told_to_the_caller() {
        assertThatThrownBy(() -> client.watch("k".repeat(2_000)).open())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("INVALID_ARGUMENT");
    }

    @Test
    void watch_that_cannot_begin_says_what_is_missing() {
        try (HoldfastClient lost = HoldfastClient.builder("127.0.0.1:1")
                .retry(RetryPolicy.DEFAULT.patience(Duration.ofMillis(300)))
                .build()) {
            assertThatThrownBy(() -> lost.watch("k").open())
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("127.0.0.1:1");
        }
    }

    @Test
    void behaviour_28_watches_of_a_client_share_one_connection() throws Exception {
        Watch first = client.watch("one").open();
        try (Operator operator = new Operator(cluster.endpoints())) {
            long sessions = operator.status().getSessions();
            List<Watch> watches = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                watches.add(client.watch("one/" + i).open());
            }
            assertThat(operator.status().getSessions()).isPositive().isLessThanOrEqualTo(sessions);
            watches.forEach(Watch::close);
        }
        first.close();
    }

    @Test
    void closed_client_ends_its_watches() throws Exception {
        Watch watch = client.watch("ends").open();
        client.close();
        assertThatThrownBy(watch::next).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> client.watch("ends").open()).isInstanceOf(UnavailableException.class);
    }
}
