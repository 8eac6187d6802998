package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.NodeProcess.Place;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node listens where it was told to, and nowhere else. */
@Timeout(240)
class OpenPortsTest {
    private static final Map<String, String> FAST = Map.of("election-profile", "fast");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void what_listens_in_a_process_is_found() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket tcp = new ServerSocket(0, 1, loopback);
                DatagramSocket udp = new DatagramSocket(0, loopback)) {
            assertThat(OpenPorts.of(ProcessHandle.current().pid()))
                    .contains("tcp 127.0.0.1:" + tcp.getLocalPort(), "udp 127.0.0.1:" + udp.getLocalPort());
        }
    }

    @Test
    void a_node_that_is_alone_listens_for_clients_only() throws IOException {
        try (Cluster cluster = Cluster.single(root).startAll()) {
            use(cluster);
            NodeProcess node = cluster.node("n1");
            assertThat(OpenPorts.of(node.pid())).containsExactly("tcp " + node.clientAddress());
        }
    }

    @Test
    void nodes_of_a_cluster_listen_for_clients_and_peers_and_a_witness_for_peers() throws IOException {
        try (Cluster cluster = Cluster.startWithWitness(root, FAST)) {
            use(cluster);
            for (NodeProcess node : cluster.running()) {
                assertThat(OpenPorts.of(node.pid())).isEqualTo(ports(node.clientAddress(), node.peerAddress()));
            }
            NodeProcess witness = cluster.witness();
            assertThat(OpenPorts.of(witness.pid())).isEqualTo(ports(witness.peerAddress()));
        }
    }

    @Test
    void nodes_that_know_each_other_by_host_name_open_nothing_to_look_names_up() throws IOException {
        List<Place> places = Cluster.freePlaces(3).stream()
                .map(place -> new Place("localhost", place.clientPort(), place.peerPort(), List.of()))
                .toList();
        try (Cluster cluster = Cluster.prepare(root, places, FAST, List.of()).startAll()) {
            use(cluster);
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(i);
                assertThat(OpenPorts.of(cluster.running().get(i).pid()))
                        .isEqualTo(ports("127.0.0.1:" + place.clientPort(), "127.0.0.1:" + place.peerPort()));
            }
        }
    }

    private static Set<String> ports(String... addresses) {
        Set<String> ports = new TreeSet<>();
        for (String address : addresses) {
            ports.add("tcp " + address);
        }
        return ports;
    }

    /** Asks every node for a lock, which those that do not lead pass on. */
    private static void use(Cluster cluster) {
        cluster.awaitAll();
        for (NodeProcess node : cluster.running()) {
            LockServiceBlockingStub locks = cluster.clients().locks(node.clientAddress());
            long lease = locks.leaseGrant(
                            LeaseGrantRequest.newBuilder().setTtl(60).build())
                    .getId();
            LockRequest request = LockRequest.newBuilder()
                    .setName("of " + node.name())
                    .setLeaseId(lease)
                    .build();
            assertThat(locks.lock(request).getAcquired()).isTrue();
        }
    }
}
