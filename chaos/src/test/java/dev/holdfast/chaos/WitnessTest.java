package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.protocol.v1.StatusRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
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
}
