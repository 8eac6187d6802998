package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipTest {
    private static final long LITTLE = 128 * 1024;
    private static final long MUCH = 64 * 1024 * 1024;

    @TempDir
    Path directory;

    @Test
    void newcomer_learns_is_promoted_and_counts_at_the_next_election() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.writeMany("e", 10, 10);
            Node d = cluster.newcomer("d", Part.LEARNER);
            change(cluster.reconfigure(member("a", cluster), member("b", cluster), member("c", cluster), d.member));
            cluster.awaitAgreement();
            assertThat(cluster.leader().running().status().members()).hasSize(4).contains(d.member);

            Node leader = cluster.leader();
            Node leaving = cluster.follower();
            Node staying = cluster.running().stream()
                    .filter(node -> node != leader && node != leaving && node != d)
                    .findFirst()
                    .orElseThrow();
            change(cluster.reconfigure(leader.member, staying.member, d.as(Part.VOTER)));
            Awaiting.until(() -> leaving.running().hasLeft());
            assertThat(leaving.replica.leads()).isFalse();
            assertThat(leaving.replica.failures()).isEmpty();
            cluster.write("swapped");
            cluster.awaitAgreement();

            leader.stop();
            cluster.write("without the old leader");
            assertThat(d.replica.entries()).hasSizeGreaterThanOrEqualTo(11);
            cluster.awaitAgreement();
        }
    }

    @Test
    void newcomer_to_a_long_log_starts_from_a_snapshot() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, LITTLE)) {
            cluster.writeUntilForgotten();
            Node d = cluster.newcomer("d", Part.LEARNER);
            change(cluster.reconfigure(member("a", cluster), member("b", cluster), member("c", cluster), d.member));
            cluster.awaitAgreement();
            assertThat(d.replica.loads()).isEqualTo(1);
            assertThat(d.running().snapshot().get(10, TimeUnit.SECONDS)).isPositive();
            d.stop();
            d.start();
            cluster.write("again");
            cluster.awaitAgreement();
            assertThat(d.replica.failures()).isEmpty();
        }
    }

    @Test
    void leader_can_remove_itself() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.write("one");
            Node leader = cluster.leader();
            List<Member> others = cluster.running().stream()
                    .filter(node -> node != leader)
                    .map(node -> node.member)
                    .toList();
            change(cluster.reconfigure(others.toArray(Member[]::new)));
            Awaiting.until(() -> leader.running().hasLeft() && !leader.replica.leads());
            assertThat(leader.replica.failures()).isEmpty();
            assertThat(leader.running().status().members()).doesNotContain(leader.member);
            cluster.write("two");
            cluster.awaitAgreement();
            assertThat(cluster.leader().running().status().members()).containsExactlyInAnyOrderElementsOf(others);
        }
    }

    @Test
    void change_is_refused_if_the_members_are_others_than_expected() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            List<Member> members = leader.running().status().members();
            CompletableFuture<Void> refused =
                    leader.running().reconfigure(members.subList(0, 2), members.subList(0, 2));
            assertThatThrownBy(() -> refused.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LogException.class)
                    .hasMessageContaining("not the expected");
            assertThat(leader.running().status().members()).isEqualTo(members);
        }
    }

    @Test
    void only_the_leader_changes_members_and_hands_over() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node follower = cluster.follower();
            List<Member> members = follower.running().status().members();
            assertThatThrownBy(() -> follower.running()
                            .reconfigure(members, members.subList(0, 2))
                            .get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LogException.class);
            assertThatThrownBy(() -> follower.running()
                            .transferLeadership(Optional.empty(), Duration.ofSeconds(1))
                            .get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LogException.class);
        }
    }

    @Test
    void members_that_joined_are_served_after_a_change_that_failed() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node d = cluster.newcomer("d", Part.LEARNER);
            Member a = member("a", cluster);
            Member b = member("b", cluster);
            Member c = member("c", cluster);
            change(cluster.reconfigure(a, b, c, d.member));
            Node absent = cluster.newcomer("e", Part.LEARNER);
            absent.stop();
            CompletableFuture<Void> failing = cluster.reconfigure(a, b, c, d.member, absent.member);
            assertThatThrownBy(() -> failing.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(LogException.class);
            cluster.write("after the failure");
            cluster.awaitAgreement();
            assertThat(d.replica.entries()).contains("after the failure");
        }
    }

    private static Member member(String name, Cluster cluster) {
        return cluster.node(name).member;
    }

    private static void change(CompletableFuture<Void> change) throws Exception {
        change.get(20, TimeUnit.SECONDS);
    }
}
