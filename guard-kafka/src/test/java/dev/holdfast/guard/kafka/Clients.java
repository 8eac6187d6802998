package dev.holdfast.guard.kafka;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Producers and consumers of texts. */
final class Clients {
    private Clients() {}

    static Producer<String, String> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", "0"),
                new StringSerializer(),
                new StringSerializer());
    }

    static Producer<String, String> transactional(String bootstrap, String transactionalId) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "transactional.id", transactionalId),
                new StringSerializer(),
                new StringSerializer());
    }

    /** Of all partitions, from their start. */
    static Consumer<String, String> consumer(String bootstrap, String topic, int partitions) {
        Consumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrap,
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false",
                        "isolation.level", "read_committed",
                        "max.poll.records", "20"),
                new StringDeserializer(),
                new StringDeserializer());
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(part -> new TopicPartition(topic, part))
                .toList();
        consumer.assign(all);
        return consumer;
    }
}
