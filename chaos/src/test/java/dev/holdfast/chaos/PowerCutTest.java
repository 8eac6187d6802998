package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.protocol.v1.LeaseGrantRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** All nodes lose their power at once, again and again, and with it whatever they had not flushed. */
class PowerCutTest {
    private static final int ROUNDS = Boolean.getBoolean("holdfast.long") ? 15 : 1;
    private static final int METADATA_BYTES = 2_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void nothing_acknowledged_is_lost_when_all_nodes_keep_only_what_they_flushed() throws Exception {
        Path library = NativeLibrary.compile(root, "power");
        // Small segments, and snapshots often: files are made, renamed, cut and deleted all the time.
        Map<String, String> settings = Map.of("election-profile", "fast", "snapshot-after-bytes", "128KB");
        try (Cluster cluster = Cluster.prepare(root, 3, settings)) {
            List<PowerSupply> supplies = new ArrayList<>();
            for (String name : List.of("n1", "n2", "n3")) {
                supplies.add(new PowerSupply(cluster.node(name), library));
            }
            cluster.startAll();
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4)
                    .heavy(METADATA_BYTES)
                    .start();
            // The first cut comes soon: the directories themselves are new.
            KillTest.progress(load, 5);
            cutAll(cluster, supplies);
            for (int round = 0; round < ROUNDS; round++) {
                KillTest.progress(load, 100);
                letTheLeaderBeOverruled(cluster, load);
                cutAll(cluster, supplies);
            }
            KillTest.progress(load, 50);
            load.stop();
            events.catchUp();
            events.verify(load);
            assertThat(cluster.running()).hasSize(3);
            cluster.assertStatesEqual();
        }
    }

    @Test
    void a_single_node_keeps_what_it_flushed_and_has_flushed_what_it_acknowledged() throws Exception {
        Path library = NativeLibrary.compile(root, "power");
        try (Cluster cluster = Cluster.single(root)) {
            List<PowerSupply> supplies = List.of(new PowerSupply(cluster.node("n1"), library));
            cluster.startAll();
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 20);
            cutAll(cluster, supplies);
            KillTest.progress(load, 20);
            load.stop();
            events.catchUp();
            events.verify(load);
        }
    }

    private static void cutAll(Cluster cluster, List<PowerSupply> supplies) throws Exception {
        for (PowerSupply supply : supplies) {
            supply.cut();
        }
        for (PowerSupply supply : supplies) {
            supply.restore();
        }
        cluster.startAll();
        cluster.awaitAll();
    }

    /** Makes the leader's log end in entries that nobody else has: when it returns, it must cut them off. */
    private static void letTheLeaderBeOverruled(Cluster cluster, Load load) throws Exception {
        NodeProcess leader = cluster.awaitLeader();
        List<NodeProcess> others =
                cluster.running().stream().filter(node -> node != leader).toList();
        for (NodeProcess node : others) {
            node.pause();
        }
        assertThatThrownBy(() -> cluster.clients()
                        .locks(leader.clientAddress())
                        .leaseGrant(
                                LeaseGrantRequest.newBuilder().setTtlMs(60_000).build()))
                .isInstanceOf(StatusRuntimeException.class);
        leader.kill();
        for (NodeProcess node : others) {
            node.resume();
        }
        KillTest.progress(load, 20);
        leader.start();
        cluster.awaitAll();
        KillTest.progress(load, 20);
    }
}
