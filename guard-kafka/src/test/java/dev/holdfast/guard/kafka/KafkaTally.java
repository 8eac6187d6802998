package dev.holdfast.guard.kafka;

import static org.awaitility.Awaitility.await;

import dev.holdfast.contract.pause.Tally;
import dev.holdfast.guard.Access;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.StringTokenizer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;

/** A number behind a topic: it is written by a record, and read where a consumer keeps it. */
public final class KafkaTally implements Tally {
    static final String KEY = "tally";

    private final Producer<String, String> producer;
    private final FencedProducer holder;
    private final Connection store;

    /** @param argument the broker, the topic and the consumer's store, with blanks between */
    public KafkaTally(String argument) throws SQLException {
        StringTokenizer words = new StringTokenizer(argument);
        producer = Clients.producer(words.nextToken());
        holder = new FencedProducer(producer, words.nextToken());
        store = DriverManager.getConnection(words.nextToken());
    }

    /** Enters by a record of its own, and reads when the consumer has come to it. */
    @Override
    public OptionalLong read(long token) throws Exception {
        if (!awaitTaken(holder.enter(Access.exclusive(KEY, token)))) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(number("SELECT coalesce(max(n), 0) FROM latest WHERE k = '" + KEY + "'"));
    }

    @Override
    public boolean write(long token, long number) throws Exception {
        return awaitTaken(holder.send(Access.exclusive(KEY, token), Long.toString(number)));
    }

    /** Waits until a record was consumed. */
    private boolean awaitTaken(RecordMetadata record) throws SQLException {
        await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> number("SELECT next_offset FROM positions") > record.offset());
        return number("SELECT count(*) FROM refused WHERE at = " + record.offset()) == 0;
    }

    private long number(String sql) throws SQLException {
        try (PreparedStatement statement = store.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        producer.close();
        try {
            store.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
