package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Role;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicationTest {
    private static final long LITTLE = 128 * 1024;
    private static final long MUCH = 64 * 1024 * 1024;

    @TempDir
    Path directory;

    @Test
    void entries_are_applied_in_the_order_proposed_on_every_member() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                outcomes.add(leader.propose("e" + i));
            }
            long index = -1;
            for (CompletableFuture<Outcome> outcome : outcomes) {
                Outcome.Applied applied = (Outcome.Applied) outcome.get(10, TimeUnit.SECONDS);
                assertThat(applied.index()).isGreaterThan(index);
                index = applied.index();
            }
            cluster.awaitAgreement();
            assertThat(cluster.follower().replica.entries())
                    .isEqualTo(IntStream.range(0, 300).mapToObj(i -> "e" + i).toList());
        }
    }

    @Test
    void applied_means_that_the_replica_has_it() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            CompletableFuture<List<String>> seen = leader.propose("one").thenApply(outcome -> leader.replica.entries());
            assertThat(seen.get(10, TimeUnit.SECONDS)).containsExactly("one");
        }
    }

    @Test
    void follower_appends_nothing() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            CompletableFuture<Outcome> outcome = cluster.follower().propose("no");
            assertThat(outcome).as("known at once").isDone();
            assertThat(outcome.get()).isInstanceOf(Outcome.NotAppended.class);
        }
    }

    @Test
    void entry_for_another_term_is_not_appended() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            long term = leader.running().status().role().term();
            for (long other : new long[] {term - 1, term + 1}) {
                CompletableFuture<Outcome> outcome = leader.running().propose(other, new byte[] {'x'});
                assertThat(outcome).isDone();
                assertThat(outcome.get()).isInstanceOf(Outcome.NotAppended.class);
            }
            cluster.write("one");
            assertThat(leader.replica.entries()).containsExactly("one");
            assertThat(cluster.leader().running().status().role().term()).isEqualTo(term);
        }
    }

    @Test
    void entry_above_the_limit_is_refused_and_the_leader_goes_on() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            byte[] large = new byte[RatisProperties.LARGEST_ENTRY];
            assertThat(leader.propose(large).get()).isInstanceOf(Outcome.NotAppended.class);
            byte[] allowed = new byte[RatisProperties.LARGEST_ENTRY - 1];
            Arrays.fill(allowed, (byte) 'x');
            assertThat(leader.propose(allowed).get(10, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
            cluster.awaitAgreement();
        }
    }

    @Test
    void entry_in_the_log_of_a_leader_cut_off_is_unknown_and_later_ones_are_not_appended() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(() -> cluster.stopAllBut(leader));
            List<Outcome> outcomes = new ArrayList<>();
            Awaiting.until(() -> {
                outcomes.add(leader.propose("e" + outcomes.size()).get(10, TimeUnit.SECONDS));
                return outcomes.get(outcomes.size() - 1) instanceof Outcome.NotAppended;
            });
            stopping.get(10, TimeUnit.SECONDS);
            List<Class<?>> kinds = outcomes.stream()
                    .<Class<?>>map(Outcome::getClass)
                    .distinct()
                    .toList();
            assertThat(kinds).endsWith(Outcome.Unknown.class, Outcome.NotAppended.class);
            long applied =
                    outcomes.stream().filter(Outcome.Applied.class::isInstance).count();
            assertThat(leader.replica.entries()).hasSize((int) applied);
        }
    }

    @Test
    void closing_leaves_nothing_pending() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            RatisLog log = leader.running();
            List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                outcomes.add(leader.propose("e" + i));
            }
            leader.stop();
            assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isDone());
            assertThat(log.propose(1, new byte[] {1}).get()).isInstanceOf(Outcome.NotAppended.class);
        }
    }

    @Test
    void leading_comes_before_the_first_own_entry_and_only_one_leads_a_term() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            for (int round = 0; round < 3; round++) {
                cluster.write("round " + round);
                Node old = cluster.leader();
                old.stop();
                cluster.write("without " + round);
                old.start();
                cluster.awaitAgreement();
            }
            List<Long> terms = new ArrayList<>();
            for (Node node : cluster.running()) {
                long leading = -1;
                for (String event : node.replica.history()) {
                    if (event.startsWith("role Leading")) {
                        leading = Long.parseLong(event.replaceAll("\\D", ""));
                        terms.add(leading);
                    } else if (event.startsWith("role Following")) {
                        leading = -1;
                    } else if (leading >= 0) {
                        assertThat(event).startsWith("applied " + leading + ' ');
                    }
                }
            }
            assertThat(terms).doesNotHaveDuplicates();
        }
    }

    @Test
    void followers_know_the_leader() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            Node follower = cluster.follower();
            Awaiting.until(() -> follower.running().status().role() instanceof Role.Following following
                    && following.leader().equals(Optional.of(leader.member.id())));
            cluster.stopAllBut(follower);
            Awaiting.until(() -> follower.running().status().role() instanceof Role.Following following
                    && following.leader().isEmpty());
        }
    }

    @Test
    void leader_knows_how_far_the_others_are() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Outcome.Applied written = cluster.write("one");
            Node leader = cluster.leader();
            Awaiting.untilAsserted(() -> {
                var status = leader.running().status();
                assertThat(status.applied()).isGreaterThanOrEqualTo(written.index());
                assertThat(status.matched())
                        .hasSize(2)
                        .allSatisfy((id, matched) -> assertThat(matched).isGreaterThanOrEqualTo(written.index()));
            });
            Node follower = cluster.follower();
            assertThat(follower.running().status().matched()).isEmpty();
            follower.stop();
            Awaiting.until(
                    () -> leader.running().status().silentMillis().getOrDefault(follower.member.id(), 0L) > 1_000);
        }
    }

    @Test
    void leadership_goes_to_whom_it_is_handed() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.write("one");
            Node to = cluster.follower();
            cluster.leader()
                    .running()
                    .transferLeadership(Optional.of(to.member.id()), Duration.ofSeconds(5))
                    .get(10, TimeUnit.SECONDS);
            Awaiting.until(() -> cluster.leader() == to);
            to.running()
                    .transferLeadership(Optional.empty(), Duration.ofSeconds(5))
                    .get(10, TimeUnit.SECONDS);
            Awaiting.until(() -> cluster.leader() != to);
            cluster.write("two");
            cluster.awaitAgreement();
        }
    }

    @Test
    void nobody_stays_behind_on_an_idle_log() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node follower = cluster.follower();
            follower.stop();
            Outcome.Applied last = cluster.write("while away");
            follower.start();
            cluster.awaitAgreement();
            assertThat(cluster.leader().running().status().applied()).isLessThan(last.index() + 100);
        }
    }

    /** The leader takes what a member once had for what it has: left alone, it would see no reason to send anything. */
    @Test
    void voter_that_lost_its_log_gets_it_back_though_nobody_writes() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.writeMany("e", 20, 10);
            cluster.awaitAgreement();
            Node follower = cluster.follower();
            follower.stop();
            lose(follower);
            follower.start();
            cluster.awaitAgreement();
            assertThat(follower.replica.entries()).hasSize(20);
        }
    }

    @Test
    void voter_that_lost_its_log_gets_a_snapshot_where_the_leader_has_forgotten_the_entries() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, LITTLE)) {
            cluster.writeUntilForgotten();
            cluster.awaitAgreement();
            Node follower = cluster.follower();
            follower.stop();
            lose(follower);
            for (String snapshot : follower.snapshots()) {
                Files.delete(follower.snapshotDirectory().resolve(snapshot));
            }
            follower.start();
            cluster.awaitAgreement();
            assertThat(follower.replica.loads()).isPositive();
        }
    }

    private static void lose(Node node) throws IOException {
        for (String segment : node.segments()) {
            Files.delete(node.logDirectory().resolve(segment));
        }
    }

    @Test
    void no_thread_stays() {
        Cluster cluster = Cluster.ofThree(directory, MUCH);
        List<String> names = cluster.running().stream()
                .map(node -> node.member.id().toString())
                .toList();
        cluster.write("one");
        cluster.close();
        Awaiting.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(thread -> names.stream().anyMatch(thread::contains)));
    }
}
