package dev.holdfast.guard.kafka;

import dev.holdfast.contract.LocalCluster;
import dev.holdfast.contract.pause.MemoryDisk;
import dev.holdfast.contract.pause.Outcome;
import dev.holdfast.contract.pause.Trial;
import dev.holdfast.guard.kafka.Follower.Filter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holders of a real lock that are stopped for longer than their lease, and send what they were about to send. */
@Timeout(240)
class StoppedHolderTest {
    private static final int PAUSES = Boolean.getBoolean("holdfast.long") ? 10 : 1;

    private final KafkaBroker broker = KafkaBroker.shared();

    @TempDir(factory = MemoryDisk.class)
    Path root;

    @Test
    void filter_takes_no_stale_record_of_a_stopped_holder_and_without_it_updates_are_lost() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root.resolve("cluster"), 1)) {
            Outcome filtered = run(cluster, "stopped-filtered", Filter.ON, PAUSES);
            Outcome unfiltered = run(cluster, "stopped-unfiltered", Filter.OFF, 1);
            System.out.println("kafka, filtered:   " + filtered);
            System.out.println("kafka, unfiltered: " + unfiltered);
            filtered.requireNoHarm();
            unfiltered.requireHarm();
        }
    }

    @SuppressWarnings("try") // the consumer works by itself
    private Outcome run(LocalCluster cluster, String topic, Filter filter, int pauses) throws Exception {
        broker.create(topic, 1);
        try (Store store = new Store(root.resolve(topic))) {
            store.follow(topic, 1);
            try (Follower consumer = new Follower(topic, 1, store, filter)) {
                return new Trial(
                                cluster.endpoints(),
                                topic,
                                KafkaTally.class,
                                broker.bootstrap() + " " + topic + " " + store.url())
                        .run(pauses, 0);
            }
        }
    }
}
