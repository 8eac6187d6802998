package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.Role;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WitnessTest {
    private static final long LITTLE = 128 * 1024;

    @TempDir
    Path directory;

    private Cluster start() {
        Cluster cluster = new Cluster(directory, LITTLE);
        cluster.bootstrap(Map.of("a", Part.VOTER, "b", Part.VOTER, "w", Part.WITNESS));
        return cluster;
    }

    @Test
    void witness_makes_a_majority_and_is_told_nothing_but_whom_it_follows() throws Exception {
        try (Cluster cluster = start()) {
            Node witness = cluster.node("w");
            cluster.write("one");
            cluster.follower().stop();
            cluster.write("two");
            assertThat(witness.replica.entries()).isEmpty();
            assertThat(witness.replica.loads()).isZero();
            assertThat(witness.replica.roles()).isNotEmpty().allMatch(Role.Following.class::isInstance);
            assertThat(witness.running().latestSnapshot()).isEmpty();
            assertThatThrownBy(() -> witness.running().snapshot().get(1, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LogException.class);
        }
    }

    @Test
    void witness_brings_the_log_to_a_full_member_that_lagged_and_lets_it_lead() {
        try (Cluster cluster = start()) {
            cluster.write("both");
            cluster.awaitAgreement();
            Node lagging = cluster.follower();
            lagging.stop();
            cluster.writeMany("with the witness only ", 20, 10);
            Node lost = cluster.leader();
            lost.stop();
            lagging.start();
            assertThat(cluster.leader()).isSameAs(lagging);
            cluster.write("last");
            assertThat(lagging.replica.entries()).hasSize(22).endsWith("last");
            assertThat(cluster.node("w").replica.roles()).allMatch(Role.Following.class::isInstance);
        }
    }

    @Test
    void witness_forgets_what_all_full_voters_have_and_nothing_else() {
        try (Cluster cluster = start()) {
            Node witness = cluster.node("w");
            cluster.writeUntilForgotten(List.of(witness));
            assertThat(witness.snapshots()).anyMatch(name -> name.startsWith("witness."));

            cluster.awaitAgreement();
            Node away = cluster.follower();
            Node lost = cluster.leader();
            away.stop();
            long had = Objects.requireNonNull(lost.running().status().matched().get(away.member.id()));
            for (int snapshots = 0; snapshots < 4; snapshots++) {
                long before = lost.running().status().snapshot();
                // Longer than it takes the leader to tell how much may be forgotten.
                long said = System.nanoTime() + Duration.ofMillis(600).toNanos();
                Awaiting.until(() -> {
                    cluster.writeMany("f", 5, 8_000);
                    return lost.running().status().snapshot() > before && System.nanoTime() > said;
                });
            }
            assertThat(lost.running().status().snapshot()).isGreaterThan(had);
            assertThat(forgotten(witness)).isPositive().isLessThanOrEqualTo(had);
            List<String> entries = lost.replica.entries();
            lost.stop();
            away.start();
            assertThat(cluster.leader()).isSameAs(away);
            cluster.write("last");
            assertThat(away.replica.loads()).as("all came from the witness").isLessThan(2);
            assertThat(away.replica.entries()).hasSize(entries.size() + 1).startsWith(entries.toArray(String[]::new));
            assertThat(witness.replica.failures()).isEmpty();
        }
    }

    private static long forgotten(Node witness) {
        return witness.snapshots().stream()
                .filter(name -> name.matches("witness\\.\\d+_\\d+"))
                .mapToLong(name -> Long.parseLong(name.substring(name.indexOf('_') + 1)))
                .max()
                .orElse(-1);
    }

    @Test
    void newcomer_without_state_becomes_a_witness_and_nothing_else() throws Exception {
        try (Cluster cluster = start()) {
            Member a = cluster.node("a").member;
            Member b = cluster.node("b").member;
            Node first = cluster.node("w");
            Node second = cluster.newcomer("x", Part.WITNESS);
            cluster.write("before");
            cluster.reconfigure(a, b, first.member, second.as(Part.LEARNER)).get(20, TimeUnit.SECONDS);
            assertThatThrownBy(() -> cluster.reconfigure(a, b, first.member, second.as(Part.VOTER))
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LogException.class);
            cluster.reconfigure(a, b, first.member, second.member).get(20, TimeUnit.SECONDS);
            // Three of four are needed from here on.
            first.stop();
            cluster.write("with its vote");
            assertThat(second.replica.entries()).isEmpty();
            assertThat(second.replica.roles()).allMatch(Role.Following.class::isInstance);
        }
    }

    @Test
    void witness_survives_restart_and_falling_behind() {
        try (Cluster cluster = start()) {
            Node witness = cluster.node("w");
            cluster.write("first");
            witness.stop();
            cluster.writeUntilForgotten();
            witness.start();
            Node leader = cluster.leader();
            Awaiting.until(() -> leader.running().status().matched().getOrDefault(witness.member.id(), -1L)
                    >= leader.running().status().applied() - 5);
            witness.stop();
            witness.start();
            cluster.follower().stop();
            cluster.write("with the witness");
            assertThat(witness.replica.failures()).isEmpty();
            assertThat(witness.replica.loads()).isZero();
        }
    }
}
