package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberRemoveRequest;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Members come, go and are replaced under load; the leader too. */
class MembershipTest {
    private static final Map<String, String> FAST = Map.of("election-profile", "fast");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    static List<String> voters(Cluster cluster) {
        return cluster.members().stream()
                .filter(member -> member.getPart() == Part.VOTER)
                .map(MemberInfo::getName)
                .sorted()
                .toList();
    }

    private static void awaitVoters(Cluster cluster, String... names) {
        await().atMost(PATIENCE)
                .ignoreException(StatusRuntimeException.class)
                .untilAsserted(() -> assertThat(voters(cluster)).containsExactly(names));
    }

    static void remove(Cluster cluster, String name) {
        await().atMost(PATIENCE).ignoreException(StatusRuntimeException.class).until(() -> {
            if (!voters(cluster).contains(name)) {
                return true;
            }
            var unused = cluster.clients()
                    .admin(cluster.awaitLeader().clientAddress())
                    .memberRemove(
                            MemberRemoveRequest.newBuilder().setMember(name).build());
            return !voters(cluster).contains(name);
        });
    }

    @Test
    void a_node_joins_the_leader_leaves_and_an_emptied_one_comes_back_only_as_somebody_else() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 50);

            cluster.newcomer("n4", Map.of()).start();
            awaitVoters(cluster, "n1", "n2", "n3", "n4");
            KillTest.progress(load, 50);

            // The leader itself is taken out: it hands on, and its process ends with a message that says why.
            NodeProcess leader = cluster.awaitLeader();
            remove(cluster, leader.name());
            assertThat(leader.awaitExit()).isNotZero();
            assertThat(leader.output()).contains("was removed from the cluster");
            cluster.forget(leader.name());
            KillTest.progress(load, 50);

            // A voter that lost its data must not vote again under its old id.
            NodeProcess victim = cluster.follower();
            victim.kill();
            PowerSupply.delete(victim.directory());
            victim.start();
            assertThat(victim.awaitExit()).isNotZero();
            assertThat(victim.output()).contains("cluster.replaces");
            cluster.forget(victim.name());
            NodeProcess substitute = cluster.newcomer("n5", Map.of("cluster-replaces", victim.name()));
            substitute.start();
            await().atMost(PATIENCE)
                    .ignoreException(StatusRuntimeException.class)
                    .untilAsserted(() -> assertThat(voters(cluster))
                            .contains("n5")
                            .doesNotContain(victim.name())
                            .hasSize(3));
            KillTest.progress(load, 50);

            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }

    @Test
    void leadership_is_handed_on_by_order_and_on_sigterm() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST)) {
            Load load = new Load(cluster.clients(), cluster.addresses(), 2, 2).start();
            KillTest.progress(load, 20);
            NodeProcess first = cluster.awaitLeader();
            NodeProcess chosen = cluster.follower();
            var unused = cluster.clients()
                    .admin(first.clientAddress())
                    .transferLeadership(TransferLeadershipRequest.newBuilder()
                            .setTo(chosen.name())
                            .build());
            assertThat(cluster.awaitLeader().name()).isEqualTo(chosen.name());
            KillTest.progress(load, 20);

            assertThat(chosen.terminate()).isIn(0, 143);
            assertThat(cluster.awaitLeader().name()).isNotEqualTo(chosen.name());
            KillTest.progress(load, 20);
            load.stop();
            assertThat(load.faults()).isEmpty();
        }
    }
}
