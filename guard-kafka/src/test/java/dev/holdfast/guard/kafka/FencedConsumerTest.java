package dev.holdfast.guard.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.contract.pause.MemoryDisk;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.kafka.Follower.Filter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The consumer's filter against late producers, consumers that are killed, and records that are none. */
@Timeout(180)
@SuppressWarnings("try") // consumers work by themselves, and need nothing but to be ended
class FencedConsumerTest {
    private static final int PARTITIONS = 2;
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String topic = "records-" + TOPICS.incrementAndGet();
    private final Producer<String, String> producer = Clients.producer(broker.bootstrap());
    private final FencedProducer holders = new FencedProducer(producer, topic);

    @TempDir(factory = MemoryDisk.class)
    Path root;

    @BeforeEach
    void create() throws Exception {
        broker.create(topic, PARTITIONS);
    }

    @AfterEach
    void close() {
        producer.close();
    }

    private Store store(String name) throws Exception {
        Store store = new Store(root.resolve(name));
        store.follow(topic, PARTITIONS);
        return store;
    }

    private Follower follower(Store store, Filter filter) {
        return new Follower(topic, PARTITIONS, store, filter);
    }

    private static void awaitSeen(Store store, int records) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Long.parseLong(store.rows("SELECT sum(next_offset) FROM positions")
                                .get(0))
                        >= records);
    }

    private static List<String> refused(Store store) throws Exception {
        return store.rows("SELECT part || ':' || at FROM refused ORDER BY part, at");
    }

    /** The consumer is killed on its way, again and again, and another goes on. */
    @Test
    void stale_record_is_refused_wherever_it_lies_in_the_topic_and_applied_without_the_filter() throws Exception {
        Traffic traffic = new Traffic(Long.getLong("holdfast.seed", System.nanoTime()));
        traffic.send(holders, 1_000);
        try (Store filtered = store("filtered");
                Store unfiltered = store("unfiltered");
                Follower careless = follower(unfiltered, Filter.OFF)) {
            for (int kill = 1; kill <= 2; kill++) {
                try (ConsumerProcess killed = new ConsumerProcess(topic, PARTITIONS, filtered)) {
                    awaitSeen(filtered, 300 * kill);
                }
            }
            try (Follower last = follower(filtered, Filter.ON)) {
                awaitSeen(filtered, traffic.sent());
            }
            assertThat(refused(filtered)).as(traffic.toString()).isEqualTo(traffic.stale());
            assertThat(filtered.rows("SELECT k || '=' || n FROM applied ORDER BY n"))
                    .as(traffic.toString())
                    .isEqualTo(traffic.accepted());
            awaitSeen(unfiltered, traffic.sent());
            List<String> staleApplied =
                    unfiltered.rows("SELECT part || ':' || at FROM applied ORDER BY part, at").stream()
                            .filter(traffic.stale()::contains)
                            .toList();
            System.out.println("kafka, filtered:   " + traffic.sent() + " records, 0 stale applied, "
                    + refused(filtered).size() + " refused");
            System.out.println(
                    "kafka, unfiltered: " + traffic.sent() + " records, " + staleApplied.size() + " stale applied");
            assertThat(staleApplied)
                    .as("without the filter all stale records are applied, or nothing was shown; %s", traffic)
                    .isEqualTo(traffic.stale())
                    .isNotEmpty();
        }
    }

    /** Marks belong to keys, not to partitions: a topic that was given more partitions is no way around them. */
    @Test
    void stale_record_in_another_partition_is_refused_too() throws Exception {
        int home = holders.enter(Access.exclusive("a", 34)).partition();
        try (Store store = store("store");
                Follower consumer = follower(store, Filter.ON)) {
            awaitSeen(store, 1);
            send(1 - home, "a", "a=33", "1");
            awaitSeen(store, 2);
            assertThat(refused(store)).containsExactly((1 - home) + ":0");
        }
    }

    @Test
    void record_whose_token_is_absent_or_wrong_is_refused_and_does_not_hold_up_the_next() throws Exception {
        holders.send(Access.exclusive("a", 33), "1");
        int home = send(null, "a", null, "2").partition();
        for (String wrong : List.of("b=34", "a=0", "a=-3", "a", "", "a=x", "34", "a=34;loud")) {
            send(null, "a", wrong, "2");
        }
        holders.send(Access.exclusive("a", 33), "3");
        try (Store store = store("store");
                Follower consumer = follower(store, Filter.ON)) {
            awaitSeen(store, 11);
            assertThat(store.rows("SELECT n FROM applied ORDER BY at")).containsExactly("1", "3");
            assertThat(refused(store)).hasSize(9).allMatch(at -> at.startsWith(home + ":"));
            assertThat(store.rows("SELECT reason FROM refused ORDER BY at"))
                    .first()
                    .isEqualTo("token: is absent; send holdfast-fencing-token");
        }
    }

    @Test
    void numbered_write_that_was_sent_twice_is_applied_once() throws Exception {
        Access access = Access.exclusive("a", 33);
        for (long number : new long[] {1, 1, 2, 1, 2, 3}) {
            holders.send(access.write(number), Long.toString(number));
        }
        try (Store store = store("store");
                Follower consumer = follower(store, Filter.ON)) {
            awaitSeen(store, 6);
            assertThat(store.rows("SELECT n FROM applied ORDER BY at")).containsExactly("1", "2", "3");
        }
    }

    /** As when a group gives the partitions of a stalled consumer to another, and the first wakes up. */
    @Test
    void two_consumers_of_the_same_partitions_apply_each_record_once() throws Exception {
        Traffic traffic = new Traffic(Long.getLong("holdfast.seed", System.nanoTime()));
        try (Store store = store("store");
                Follower one = follower(store, Filter.ON);
                Follower two = follower(store, Filter.ON)) {
            traffic.send(holders, 400);
            awaitSeen(store, traffic.sent());
            assertThat(store.rows("SELECT k || '=' || n FROM applied ORDER BY n"))
                    .as(traffic.toString())
                    .isEqualTo(traffic.accepted());
            assertThat(refused(store)).as(traffic.toString()).isEqualTo(traffic.stale());
        }
    }

    private RecordMetadata send(@Nullable Integer partition, String key, @Nullable String header, String value)
            throws Exception {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, partition, key, value);
        if (header != null) {
            record.headers().add(FencedProducer.HEADER, header.getBytes(UTF_8));
        }
        return producer.send(record).get();
    }
}
