package dev.holdfast.guard.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.guard.Access;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Sends what lock holders have to say, and under which token they say it. */
final class FencedProducer {
    static final String HEADER = "holdfast-fencing-token";

    private final Producer<String, String> producer;
    private final String topic;

    FencedProducer(Producer<String, String> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    /** A holder's first act: whatever older holders send from now on comes after it, and is refused. */
    RecordMetadata enter(Access access) throws ExecutionException, InterruptedException {
        return send(access, null);
    }

    /** Sends, and waits until the broker has it. The lock's key is the record's: one lock, one partition, one order. */
    RecordMetadata send(Access access, @Nullable String value) throws ExecutionException, InterruptedException {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, access.key(), value);
        record.headers().add(HEADER, access.text().getBytes(UTF_8));
        return producer.send(record).get();
    }
}
