package dev.holdfast.guard.kafka;

import dev.holdfast.guard.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A consumer at work, from the moment it is made until it is closed. */
final class Follower implements AutoCloseable {
    /** Whether a consumer looks at tokens. */
    enum Filter {
        ON,
        OFF
    }

    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final CompletableFuture<Void> work;
    private volatile boolean closed;

    Follower(String topic, int partitions, Store store, Filter filter) {
        work = CompletableFuture.runAsync(
                () -> follow(KafkaBroker.shared().bootstrap(), topic, partitions, store.url(), filter, () -> closed),
                task -> new Thread(task, "follower").start());
    }

    static void follow(
            String bootstrap, String topic, int partitions, String url, Filter filter, BooleanSupplier ended) {
        try (Consumer<String, String> consumer = Clients.consumer(bootstrap, topic, partitions);
                Connection connection = Store.connect(url)) {
            FencedConsumer fenced = filter == Filter.ON
                    ? new FencedConsumer(connection, Store.GUARD, Store::apply)
                    : new Unfiltered(connection);
            while (!ended.getAsBoolean()) {
                fenced.poll(consumer, PATIENCE);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        work.join();
    }

    /** The same without the filter. */
    private static final class Unfiltered extends FencedConsumer {
        Unfiltered(Connection connection) {
            super(connection, Store.GUARD, Store::apply);
        }

        @Override
        Entry enter(Connection connection, ConsumerRecord<String, String> record) {
            return Entry.NEW;
        }
    }
}
