package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.RetryPolicy;
import dev.holdfast.client.api.Explanation;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.HolderInfo;
import dev.holdfast.client.api.LockInfo;
import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.api.WaiterInfo;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.api.WatchEvent.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuestionsTest {
    @TempDir
    private static Path root;

    private static LocalCluster cluster;

    private final HoldfastClient client = client("client");
    private final HoldfastClient other = client("other");
    private final HoldfastClient third = client("third");

    private static HoldfastClient client(String id) {
        return HoldfastClient.builder(cluster.endpoints()).clientId(id).build();
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
        third.close();
    }

    private void awaitWaiters(String key, int count) {
        await().until(() -> client.get(key).map(LockInfo::waiterCount).orElse(0) == count);
    }

    @Test
    void behaviour_39_a_lock_shows_holder_purpose_age_lease_and_waiters_in_order() throws Exception {
        assertThat(client.get("shown")).isEmpty();
        try (Grant held = client.lock("shown").purpose("reindex").acquire()) {
            CompletableFuture<Grant> second =
                    other.lock("shown").purpose("backup").acquireAsync();
            awaitWaiters("shown", 1);
            CompletableFuture<Grant> last = third.lock("shown").acquireAsync();
            awaitWaiters("shown", 2);
            LockInfo info = client.get("shown").orElseThrow();
            assertThat(info.holders()).singleElement().satisfies(holder -> {
                assertThat(holder.client()).isEqualTo("client");
                assertThat(holder.token()).isEqualTo(held.token());
                assertThat(holder.purpose()).isEqualTo("reindex");
                assertThat(holder.metadata().text()).contains("host=", "process=", "thread=");
                assertThat(holder.leaseLeft()).isPositive();
                assertThat(holder.held().isNegative()).isFalse();
                assertThat(holder.lost()).isFalse();
            });
            assertThat(info.waiters()).extracting(WaiterInfo::client).containsExactly("other", "third");
            assertThat(info.waiters()).extracting(WaiterInfo::place).isSorted();
            assertThat(info.waiters().get(0).purpose()).isEqualTo("backup");
            second.cancel(true);
            last.cancel(true);
        }
    }

    @Test
    void behaviour_39_locks_are_listed_by_prefix_page_after_page() throws Exception {
        List<CompletableFuture<Grant>> grants = IntStream.range(0, 1_500)
                .mapToObj(i -> client.lock("list/%04d".formatted(i)).acquireAsync())
                .toList();
        grants.forEach(CompletableFuture::join);
        try (Grant elsewhere = client.lock("other-list").acquire()) {
            List<String> all = keys(client.list("list/", 10_000));
            assertThat(all).hasSize(1_500).isSorted().doesNotHaveDuplicates();
            assertThat(keys(client.list("list/", 1_200))).isEqualTo(all.subList(0, 1_200));
            assertThat(client.list("list/000", 10)).hasSize(10);
            assertThat(client.list("none", 10)).isEmpty();
            assertThat(elsewhere.isValid()).isTrue();
        }
    }

    private static List<String> keys(List<LockInfo> locks) {
        return locks.stream().map(LockInfo::key).toList();
    }

    @Test
    void behaviour_39_why_am_i_waiting_is_answered_as_a_chain() throws Exception {
        try (Grant a = other.lock("chain/a").purpose("deploy").acquire();
                Grant b = third.lock("chain/b").acquire()) {
            CompletableFuture<Grant> thirdWaits = third.lock("chain/a").acquireAsync();
            awaitWaiters("chain/a", 1);
            CompletableFuture<Grant> clientWaits = client.lock("chain/a").acquireAsync();
            awaitWaiters("chain/a", 2);
            assertThat(client.explain()).singleElement().satisfies(why -> {
                assertThat(why.blockedOn()).isEqualTo("chain/a");
                assertThat(why.position()).isEqualTo(1);
                assertThat(why.complete()).isTrue();
                assertThat(why.steps()).anySatisfy(step -> {
                    assertThat(step.how()).isEqualTo(Explanation.How.HOLDS);
                    assertThat(step.blocker()).isEqualTo("other");
                    assertThat(step.token()).isEqualTo(a.token());
                });
                assertThat(why.steps()).anySatisfy(step -> {
                    assertThat(step.how()).isEqualTo(Explanation.How.WAITS_AHEAD);
                    assertThat(step.blocker()).isEqualTo("third");
                });
                assertThat(why.text())
                        .containsPattern("client waits for chain/a: third waits ahead \\([0-9]+ ms\\)")
                        .containsPattern("third waits for chain/a: other holds it \\([0-9]+ ms, deploy\\)");
            });
            assertThat(other.explain()).isEmpty();
            assertThat(b.isValid()).isTrue();
            thirdWaits.cancel(true);
            clientWaits.cancel(true);
        }
    }

    @Test
    void behaviour_39_history_of_a_key_comes_newest_first() throws Exception {
        Bursts.cycle(client, "history", 3);
        List<WatchEvent> all = client.history("history", 100);
        assertThat(all)
                .extracting(WatchEvent::kind)
                .containsExactly(Kind.ENDED, Kind.GRANTED, Kind.ENDED, Kind.GRANTED, Kind.ENDED, Kind.GRANTED);
        assertThat(client.history("history", 2)).isEqualTo(all.subList(0, 2));
        assertThat(all.get(1).holder()).isEqualTo("client");
        assertThat(client.history("never", 10)).isEmpty();
    }

    @Test
    void behaviour_16_hold_that_ran_out_leaves_its_lock_delay_which_is_visible_while_it_lasts() throws Exception {
        Grant lost = other.lock("delayed")
                .maxHold(Duration.ofMillis(50))
                .lockDelay(Duration.ofSeconds(30))
                .acquire();
        await().until(() ->
                client.get("delayed").orElseThrow().holders().stream().anyMatch(HolderInfo::lost));
        CompletableFuture<Grant> waiting = client.lock("delayed").acquireAsync();
        awaitWaiters("delayed", 1);
        assertThat(client.explain())
                .singleElement()
                .satisfies(why -> assertThat(why.steps())
                        .extracting(Explanation.Step::how, Explanation.Step::token)
                        .containsExactly(tuple(Explanation.How.LOCK_DELAY, lost.token())));
        waiting.cancel(true);
    }

    @Test
    void stale_questions_are_answered_too() throws Exception {
        try (Grant held = client.lock("stale").acquire()) {
            await().until(() -> client.stale().get("stale").isPresent());
            assertThat(client.stale().list("stale", 10)).hasSize(1);
            assertThat(client.stale().history("stale", 10)).hasSize(1);
            assertThat(client.stale().explain()).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void what_the_cluster_refuses_is_told_to_the_caller() {
        assertThatThrownBy(() -> client.get("k".repeat(2_000)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("INVALID_ARGUMENT");
        assertThatThrownBy(() -> client.list("", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void question_goes_to_the_next_node_if_one_does_not_answer() throws Exception {
        try (HoldfastClient half = HoldfastClient.create("127.0.0.1:1,127.0.0.1:2," + cluster.endpoints())) {
            for (int i = 0; i < 5; i++) {
                assertThat(half.get("nobody")).isEmpty();
            }
        }
    }

    @Test
    void question_that_nobody_answers_says_what_is_missing_and_a_closed_client_asks_no_more() {
        HoldfastClient lost = HoldfastClient.builder("127.0.0.1:1")
                .retry(RetryPolicy.DEFAULT.patience(Duration.ofMillis(300)))
                .build();
        assertThatThrownBy(() -> lost.get("k"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("none of 1 known nodes answered (127.0.0.1:1)");
        lost.close();
        assertThatThrownBy(() -> lost.get("k")).hasMessageContaining("the client is closed");
    }
}
