package dev.holdfast.guard.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.contract.pause.MemoryDisk;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.kafka.Follower.Filter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka's own fencing of producers does for lock holders, and what it does not. */
@Timeout(120)
class ProducerFencingTest {
    private static final Access OLDER = Access.exclusive("a", 33);
    private static final Access NEWER = Access.exclusive("a", 34);

    private final KafkaBroker broker = KafkaBroker.shared();

    @TempDir(factory = MemoryDisk.class)
    Path root;

    @Test
    void producer_that_starts_in_the_order_of_the_grants_fences_the_one_before() throws Exception {
        broker.create("in-order", 1);
        try (Producer<String, String> older = producer("in-order");
                Producer<String, String> newer = producer("in-order")) {
            older.initTransactions();
            send(older, "in-order", OLDER, "1");
            newer.initTransactions();
            send(newer, "in-order", NEWER, "2");
            assertFenced(older, "in-order", OLDER);
        }
    }

    /** The brokers' order is that of the starts, not of the grants. */
    @Test
    void stalled_holder_that_starts_a_producer_late_fences_out_the_rightful_one_and_the_filter_alone_refuses_it()
            throws Exception {
        broker.create("late", 1);
        try (Producer<String, String> stalled = producer("late");
                Producer<String, String> rightful = producer("late")) {
            rightful.initTransactions();
            send(rightful, "late", NEWER, "1");
            stalled.initTransactions();
            send(stalled, "late", OLDER, "2");
            assertFenced(rightful, "late", NEWER);
        }
        assertThat(latest("late", Filter.OFF)).as("without the filter").isEqualTo("2");
        assertThat(latest("late", Filter.ON)).as("with the filter").isEqualTo("1");
    }

    @SuppressWarnings("try") // the consumer works by itself
    private String latest(String topic, Filter filter) throws Exception {
        try (Store store = new Store(root.resolve(filter.name()))) {
            store.follow(topic, 1);
            try (Follower consumer = new Follower(topic, 1, store, filter)) {
                // Two records, and the ends of their transactions between and after them.
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> store.rows("SELECT 1 FROM positions WHERE next_offset >= 3")
                                .equals(List.of("1")));
            }
            return store.rows("SELECT n FROM latest").get(0);
        }
    }

    private Producer<String, String> producer(String topic) {
        return Clients.transactional(broker.bootstrap(), topic + "/a");
    }

    private static void send(Producer<String, String> producer, String topic, Access access, String value)
            throws Exception {
        producer.beginTransaction();
        new FencedProducer(producer, topic).send(access, value);
        producer.commitTransaction();
    }

    private static void assertFenced(Producer<String, String> producer, String topic, Access access) {
        assertThatThrownBy(() -> send(producer, topic, access, "9"))
                .satisfiesAnyOf(
                        e -> assertThat(e).hasRootCauseInstanceOf(ProducerFencedException.class),
                        e -> assertThat(e).hasRootCauseInstanceOf(InvalidProducerEpochException.class),
                        e -> assertThat(e).isInstanceOf(ProducerFencedException.class));
    }
}
