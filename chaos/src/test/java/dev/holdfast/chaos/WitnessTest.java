package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.protocol.v1.StatusRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two full nodes and a witness: its vote keeps the service going, and that is all it does. */
class WitnessTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void with_a_witness_either_full_node_may_die() throws Exception {
        try (Cluster cluster = Cluster.startWithWitness(root, Map.of("election-profile", "fast"))) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 50);
            for (int i = 0; i < 2; i++) {
                NodeProcess leader = cluster.awaitLeader();
                leader.kill();
                KillTest.progress(load, 50);
                leader.start();
                cluster.awaitAll();
            }
            cluster.witness().kill();
            KillTest.progress(load, 50);
            cluster.witness().start();
            assertThatThrownBy(() -> cluster.clients()
                            .admin(cluster.witness().clientAddress())
                            .status(StatusRequest.getDefaultInstance()))
                    .as("a witness has no client port")
                    .isInstanceOf(StatusRuntimeException.class);
            assertThat(cluster.witness().output())
                    .contains("serves as a witness")
                    .doesNotContain("Leading");
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }

    @Test
    void a_witness_that_joined_has_the_vote_that_four_need_when_one_is_lost() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"))) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 50);
            NodeProcess witness = cluster.newWitness("w");
            witness.start();
            // Listed as a member it may be before it knows of it, and votes.
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(witness.output()).contains("has joined"));
            assertThat(cluster.members())
                    .hasSize(4)
                    .filteredOn(member -> member.getPart() == Part.WITNESS)
                    .extracting(MemberInfo::getName)
                    .containsExactly("w");

            // Three of four are a majority only together with the witness, also once it was started again.
            for (int i = 0; i < 2; i++) {
                NodeProcess leader = cluster.awaitLeader();
                leader.kill();
                KillTest.progress(load, 50);
                leader.start();
                cluster.awaitAll();
                witness.kill();
                KillTest.progress(load, 20);
                witness.start();
            }
            assertThat(witness.output()).contains("serves as a witness").doesNotContain("Leading");
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        }
    }
}
