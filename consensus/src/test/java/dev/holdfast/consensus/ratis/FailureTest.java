package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureTest {
    private static final long SMALL = 128 * 1024;
    private static final long MUCH = 64 * 1024 * 1024;

    @TempDir
    Path directory;

    @Test
    void entry_that_cannot_be_applied_stops_the_node_and_says_so_once() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            Outcome outcome = leader.propose(RecordingReplica.POISON).get(10, TimeUnit.SECONDS);
            assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
            // The next leader applies it too; the third is then alone, and never learns that it is committed.
            Awaiting.untilAsserted(() -> assertThat(cluster.running())
                    .filteredOn(node -> !node.replica.failures().isEmpty())
                    .hasSize(2)
                    .contains(leader));
            assertThat(leader.replica.failures())
                    .singleElement()
                    .asString()
                    .contains(leader.directory().toString());
            assertThat(leader.propose("more").get(10, TimeUnit.SECONDS)).isInstanceOf(Outcome.NotAppended.class);
            assertThat(leader.replica.entries()).isEmpty();
        }
    }

    @Test
    void log_that_cannot_be_written_stops_the_node() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, SMALL)) {
            cluster.write("one");
            cluster.awaitAgreement();
            Node node = cluster.follower();
            Files.move(node.logDirectory(), node.logDirectory().resolveSibling("gone"));
            cluster.writeMany("e", 40, 8_000);
            Awaiting.untilAsserted(() -> assertThat(node.replica.failures())
                    .singleElement()
                    .asString()
                    .contains("writing the log failed", node.directory().toString()));
            assertThat(cluster.leader().replica.failures()).isEmpty();
        }
    }

    @Test
    void engine_that_closes_by_itself_is_reported() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node node = cluster.follower();
            node.running().closeEngineOnly();
            Awaiting.untilAsserted(() -> assertThat(node.replica.failures()).hasSize(1));
        }
    }

    @Test
    void closing_is_no_failure() {
        Cluster cluster = Cluster.ofThree(directory, MUCH);
        cluster.write("one");
        var replicas = cluster.running().stream().map(node -> node.replica).toList();
        cluster.close();
        assertThat(replicas)
                .allSatisfy(replica -> assertThat(replica.failures()).isEmpty());
    }
}
