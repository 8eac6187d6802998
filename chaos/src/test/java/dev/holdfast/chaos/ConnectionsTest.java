package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.NodeProcess.Place;
import dev.holdfast.protocol.v1.StatusRequest;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** More connections than a node may have files open, none of which comes to the point. */
class ConnectionsTest {
    private static final int DESCRIPTORS = 800;
    private static final int CROWDS = 2;
    private static final int CONNECTIONS = Figures.times(2_000, 20_000);
    private static final int TRIES = 3;
    private static final int CALLS = Figures.times(20, 200);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private static Place modest(Place place) {
        return new Place(
                place.host(),
                place.clientPort(),
                place.peerPort(),
                List.of("sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$0\" \"$@\""));
    }

    @Test
    void clients_operators_and_members_are_served_all_the_same() throws Exception {
        List<Place> places =
                Cluster.freePlaces(3).stream().map(ConnectionsTest::modest).toList();
        List<Process> crowds = new ArrayList<>();
        try (Cluster cluster = Cluster.prepare(root, places, Map.of("election-profile", "fast"), List.of())
                .startAll()) {
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            KillTest.progress(load, 50);
            for (int i = 0; i < CROWDS; i++) {
                crowds.add(CrowdOfConnections.start(cluster.addresses(), CONNECTIONS / CROWDS));
            }
            KillTest.progress(load, 500);
            int refused = 0;
            for (int i = 0; i < CALLS; i++) {
                refused += isServed(cluster.addresses().get(i % 3), TRIES) ? 0 : 1;
            }
            int made = 0;
            for (Process crowd : crowds) {
                crowd.getOutputStream().write('\n');
                crowd.getOutputStream().flush();
                made += Integer.parseInt(
                        crowd.inputReader(StandardCharsets.US_ASCII).readLine());
            }
            Figures.tell(
                    "T25",
                    "%d connections at a time that ask nothing, %d in all, to nodes that may open %d files: no node"
                            + " ended, %d grants, %d of %d operators refused three times",
                    CONNECTIONS,
                    made,
                    DESCRIPTORS,
                    load.grants().size(),
                    refused,
                    CALLS);
            assertThat(cluster.running()).as("nodes that run").hasSize(3);
            assertThat(refused).as("operators refused, of " + CALLS).isLessThan(CALLS / 2);
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
        } finally {
            for (Process crowd : crowds) {
                crowd.destroyForcibly().waitFor();
            }
        }
    }

    /** By connections of their own: what has only connected may be closed before it comes to ask. */
    private static boolean isServed(String address, int tries) {
        return IntStream.range(0, tries).anyMatch(attempt -> isServed(address));
    }

    private static boolean isServed(String address) {
        try (Clients clients = new Clients()) {
            return clients.admin(address)
                    .status(StatusRequest.getDefaultInstance())
                    .hasHeader();
        } catch (StatusRuntimeException e) {
            return false;
        }
    }
}
