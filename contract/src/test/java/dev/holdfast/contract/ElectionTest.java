package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Election;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.client.api.LockInfo;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.Subscription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ElectionTest {
    @TempDir
    private static Path root;

    private static LocalCluster cluster;

    private final List<HoldfastClient> clients = new ArrayList<>();
    private final HoldfastClient client = client();

    private HoldfastClient client() {
        HoldfastClient made = HoldfastClient.create(cluster.endpoints());
        clients.add(made);
        return made;
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
        clients.forEach(HoldfastClient::close);
    }

    private void awaitWaiters(String name, int count) {
        await().until(() -> client.get(Election.KEY_PREFIX + name)
                        .map(LockInfo::waiterCount)
                        .orElse(0)
                == count);
    }

    /** Writes down what the listeners of a candidate are told, and that they are told one at a time. */
    private static Queue<String> diary(Election election) {
        Queue<String> diary = new ConcurrentLinkedQueue<>();
        AtomicInteger running = new AtomicInteger();
        election.onElected(leadership -> {
            diary.add(running.incrementAndGet() == 1 ? "elected " + leadership.epoch() : "concurrently elected");
            running.decrementAndGet();
        });
        election.onDeposed(deposition -> {
            String why = deposition.loss().map(loss -> loss.reason().name()).orElse("resigned");
            diary.add(
                    running.incrementAndGet() == 1
                            ? "deposed " + deposition.leadership().epoch() + " " + why
                            : "concurrently deposed");
            running.decrementAndGet();
        });
        return diary;
    }

    @Test
    void one_who_is_elected_leads_with_the_token_as_epoch_until_it_resigns() throws Exception {
        try (Election election = client.election("one")) {
            assertThat(election.leader()).isEmpty();
            assertThat(election.isLeader()).isFalse();
            Leadership leadership = election.campaign("here");
            assertThat(election.isLeader()).isTrue();
            assertThat(election.epoch()).isEqualTo(leadership.epoch()).isPositive();
            assertThat(client().election("one").leader()).contains(leadership);
            assertThatThrownBy(() -> election.campaign("again")).isInstanceOf(IllegalStateException.class);
            election.proclaim("there");
            assertThat(election.leader().map(Leadership::value)).contains("there");
            election.resign();
            assertThat(election.isLeader()).isFalse();
            assertThat(election.leader()).isEmpty();
            assertThatThrownBy(election::epoch).isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> election.proclaim("no")).isInstanceOf(LockLostException.class);
            assertThat(election.campaign("here").epoch()).isGreaterThan(leadership.epoch());
        }
    }

    @Test
    void a_candidate_campaigns_proclaims_and_resigns_without_a_thread_that_waits() throws Exception {
        try (Election election = client.election("async")) {
            assertThatThrownBy(() -> election.proclaimAsync("early")).isInstanceOf(LockLostException.class);
            assertThat(election.resignAsync()).isCompletedWithValue(false);
            Leadership leadership = election.campaignAsync("here").join();
            Leadership changed = election.proclaimAsync("there").join();
            assertThat(changed).isEqualTo(new Leadership("there", leadership.holder(), leadership.epoch()));
            assertThat(client.get(election.key())
                            .orElseThrow()
                            .holders()
                            .get(0)
                            .metadata()
                            .text())
                    .isEqualTo("there");
            CompletableFuture<Boolean> resigning = election.resignAsync();
            assertThat(election.isLeader()).isFalse();
            assertThat(resigning.join()).isTrue();
            assertThat(election.leader()).isEmpty();
        }
    }

    @Test
    void next_in_order_is_elected_when_the_leaders_client_closes() throws Exception {
        HoldfastClient first = client();
        Election leader = first.election("three");
        Leadership before = leader.campaign("a");
        Queue<String> diary = diary(leader);
        Election second = client().election("three");
        Election third = client().election("three");
        CompletableFuture<Leadership> b = second.campaignAsync("b");
        awaitWaiters("three", 1);
        CompletableFuture<Leadership> c = third.campaignAsync("c");
        awaitWaiters("three", 2);
        first.close();
        Leadership after = b.get();
        assertThat(after.value()).isEqualTo("b");
        assertThat(after.epoch()).isGreaterThan(before.epoch());
        assertThat(second.isLeader()).isTrue();
        assertThat(leader.isLeader()).isFalse();
        assertThat(c).isNotDone();
        await().untilAsserted(() -> assertThat(diary)
                .containsExactly("elected " + before.epoch(), "deposed " + before.epoch() + " SESSION_CLOSED"));
        second.resign();
        assertThat(c.get().value()).isEqualTo("c");
    }

    @Test
    void behaviour_09_each_election_is_told_once_and_its_end_once_in_order() throws Exception {
        try (Election election = client.election("pairs")) {
            Queue<String> diary = diary(election);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                long epoch = election.campaign("v" + i).epoch();
                election.resign();
                expected.add("elected " + epoch);
                expected.add("deposed " + epoch + " resigned");
            }
            await().untilAsserted(() -> assertThat(diary).containsExactlyElementsOf(expected));
        }
    }

    @Test
    void behaviour_09_on_elected_comes_only_after_the_grant_is_committed() throws Exception {
        AtomicReference<Leadership> seen = new AtomicReference<>();
        AtomicReference<Leadership> told = new AtomicReference<>();
        try (Election election = client.election("committed")) {
            election.onElected(leadership -> {
                try {
                    seen.set(election.leader().orElseThrow());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                told.set(leadership);
            });
            election.campaign("v");
            await().until(() -> told.get() != null);
            assertThat(seen.get()).isEqualTo(told.get());
        }
    }

    @Test
    void behaviour_09_leader_whose_grant_is_taken_by_force_is_deposed_once() throws Exception {
        try (Election election = client.election("forced");
                Operator operator = new Operator(cluster.endpoints())) {
            Queue<String> diary = diary(election);
            AtomicReference<Loss> loss = new AtomicReference<>();
            election.onDeposed(deposition -> loss.set(deposition.loss().orElse(null)));
            long first = election.campaign("v").epoch();
            assertThat(operator.forceRelease(election.key(), first)).isTrue();
            await().until(() -> !election.isLeader());
            // At once, though the loss may not have been told to listeners yet.
            long second = election.campaign("v").epoch();
            election.resign();
            await().untilAsserted(() -> assertThat(diary)
                    .containsExactly(
                            "elected " + first,
                            "deposed " + first + " REVOKED",
                            "elected " + second,
                            "deposed " + second + " resigned"));
        }
    }

    @Test
    void behaviour_09_nothing_is_told_after_close_and_close_completes_the_pair() throws Exception {
        Election election = client.election("closed");
        Queue<String> diary = diary(election);
        long epoch = election.campaign("v").epoch();
        election.close();
        assertThat(diary).containsExactly("elected " + epoch, "deposed " + epoch + " resigned");
        assertThatThrownBy(() -> election.campaign("v")).isInstanceOf(IllegalStateException.class);
        await().until(() -> client.get(election.key()).isEmpty());
        assertThat(diary).hasSize(2);
    }

    @Test
    void behaviour_09_close_within_a_listener_completes_the_pair_and_does_not_hang() throws Exception {
        Election election = client.election("within");
        election.onElected(leadership -> election.close());
        Queue<String> diary = diary(election);
        long epoch = election.campaign("v").epoch();
        await().untilAsserted(
                        () -> assertThat(diary).containsExactly("elected " + epoch, "deposed " + epoch + " resigned"));
    }

    @Test
    void behaviour_09_pairs_hold_whatever_the_candidates_and_operators_do() throws Exception {
        long seed = Long.getLong("holdfast.seed", 9);
        List<Queue<String>> diaries = new ArrayList<>();
        List<Election> candidates = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            HoldfastClient own = client();
            Election election = own.election("random");
            Random random = new Random(seed + i);
            candidates.add(election);
            diaries.add(diary(election));
            Thread thread = new Thread(() -> {
                try (Operator operator = new Operator(cluster.endpoints())) {
                    for (int round = 0; round < 60; round++) {
                        actAtRandom(election, operator, random);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        candidates.forEach(Election::close);
        for (Queue<String> diary : diaries) {
            assertThat(diary.size() % 2).as("seed %d: %s", seed, diary).isZero();
            long last = 0;
            for (Iterator<String> entries = diary.iterator(); entries.hasNext(); ) {
                String elected = entries.next();
                assertThat(elected).as("seed %d: %s", seed, diary).startsWith("elected ");
                long epoch = Long.parseLong(elected.substring("elected ".length()));
                assertThat(epoch).isGreaterThan(last);
                assertThat(entries.next()).as("seed %d: %s", seed, diary).startsWith("deposed " + epoch + " ");
                last = epoch;
            }
        }
        assertThat(diaries).anyMatch(diary -> !diary.isEmpty());
        await().until(() -> client.get(Election.KEY_PREFIX + "random").isEmpty());
    }

    private static void actAtRandom(Election election, Operator operator, Random random) throws InterruptedException {
        CompletableFuture<Leadership> campaign = election.campaignAsync("v");
        switch (random.nextInt(4)) {
            case 0 -> {
                if (!campaign.cancel(true)) {
                    election.resign(); // it was elected before
                }
            }
            case 1 -> election.resign();
            case 2 -> {
                Leadership leadership = campaign.join();
                operator.forceRelease(election.key(), leadership.epoch());
                await().until(() -> !election.isLeader());
            }
            default -> {
                campaign.join();
                election.resign();
            }
        }
        // A campaign that was cancelled at the moment of its success ends its leadership by itself.
        await().until(() -> !election.isLeader());
    }

    @Test
    void behaviour_35_a_listener_that_blocks_for_ever_holds_up_no_election() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        HoldfastClient blocked = client();
        Election election = blocked.election("blocked");
        election.onElected(leadership -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        election.campaign("v");
        assertThat(election.isLeader()).isTrue();
        election.resign();
        election.campaign("w");
        assertThat(blocked.election("blocked").leader().map(Leadership::value)).contains("w");
        election.close();
        never.countDown();
    }

    @Test
    void interrupt_takes_a_candidature_back() throws Exception {
        try (Election leader = client.election("interrupted");
                Election waiting = client().election("interrupted")) {
            leader.campaign("a");
            Queue<String> diary = diary(waiting);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    thrown.set(new AssertionError(waiting.campaign("b")));
                } catch (InterruptedException | RuntimeException e) {
                    thrown.set(e);
                }
            });
            thread.start();
            awaitWaiters("interrupted", 1);
            thread.interrupt();
            thread.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            awaitWaiters("interrupted", 0);
            leader.resign();
            assertThat(waiting.leader()).isEmpty();
            assertThat(diary).isEmpty();
            assertThat(waiting.campaign("b").value()).isEqualTo("b");
        }
    }

    @Test
    void cancel_resign_and_close_take_a_candidature_back() throws Exception {
        Election waiting = client().election("taken");
        try (Election leader = client.election("taken")) {
            leader.campaign("a");
            CompletableFuture<Leadership> cancelled = waiting.campaignAsync("b");
            awaitWaiters("taken", 1);
            cancelled.cancel(true);
            awaitWaiters("taken", 0);
            CompletableFuture<Leadership> resigned = waiting.campaignAsync("b");
            awaitWaiters("taken", 1);
            waiting.resign();
            assertThatThrownBy(() -> resigned.get(10, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
            awaitWaiters("taken", 0);
            CompletableFuture<Leadership> closed = waiting.campaignAsync("b");
            awaitWaiters("taken", 1);
            waiting.close();
            assertThatThrownBy(() -> closed.get(10, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
            awaitWaiters("taken", 0);
            assertThat(leader.isLeader()).isTrue();
        }
    }

    @Test
    void observer_sees_the_present_leader_then_every_change_and_none_after_close() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (Election election = client.election("observed")) {
            election.campaign("a");
            Subscription observing = client().election("observed").observe(leadership -> seen.add(leadership.value()));
            election.proclaim("b");
            election.resign();
            election.campaign("c");
            await().untilAsserted(() -> assertThat(seen).containsExactly("a", "b", "c"));
            observing.close();
            election.proclaim("d");
            assertThat(election.leader().map(Leadership::value)).contains("d");
            assertThat(seen).containsExactly("a", "b", "c");
        }
    }
}
