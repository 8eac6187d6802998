package dev.holdfast.guard.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.GuardException;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.jdbc.JdbcGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Applies what a topic tells to a database, and refuses what stale lock holders sent.
 *
 * <p>Data, marks, refusals and the position in the topic are in one database and change in one transaction: whenever a
 * consumer dies, another goes on as if nothing had happened.
 */
class FencedConsumer {
    private final Connection connection;
    private final JdbcGuard guard;
    private final Effect effect;
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    /** What a record does to the data. */
    interface Effect {
        void apply(Connection connection, ConsumerRecord<String, String> record) throws SQLException;
    }

    /** @param connection in which nothing else is done, with auto-commit off */
    FencedConsumer(Connection connection, JdbcGuard guard, Effect effect) {
        this.connection = connection;
        this.guard = guard;
        this.effect = effect;
    }

    /** Applies what has come. */
    void poll(Consumer<String, String> consumer, Duration patience) throws SQLException {
        ConsumerRecords<String, String> records = consumer.poll(patience);
        for (TopicPartition partition : records.partitions()) {
            if (!apply(partition, records.records(partition))) {
                consumer.seek(partition, position(partition));
            }
        }
    }

    /** @return false if the database is elsewhere in the topic: this consumer has just begun, or was overtaken */
    private boolean apply(TopicPartition partition, List<ConsumerRecord<String, String>> records) throws SQLException {
        long from = positions.getOrDefault(partition, 0L);
        long to = records.get(records.size() - 1).offset() + 1;
        if (records.get(0).offset() < from || !move(partition, from, to)) {
            connection.rollback();
            return false;
        }
        for (ConsumerRecord<String, String> record : records) {
            try {
                if (enter(connection, record) == Entry.NEW && record.value() != null) {
                    effect.apply(connection, record);
                }
            } catch (GuardException | InvalidAccessException e) {
                note(record, String.valueOf(e.getMessage()));
            }
        }
        connection.commit();
        positions.put(partition, to);
        return true;
    }

    /** The filter. */
    Entry enter(Connection connection, ConsumerRecord<String, String> record) throws SQLException {
        Header header = record.headers().lastHeader(FencedProducer.HEADER);
        if (header == null) {
            throw new InvalidAccessException("token", "is absent; send " + FencedProducer.HEADER);
        }
        Access access = Access.parse(new String(header.value(), UTF_8));
        if (!access.key().equals(record.key())) {
            throw new InvalidAccessException("key", "the record is '" + record.key() + "', its token is another's");
        }
        return guard.enter(connection, access);
    }

    /** Locks the position first of all: of two consumers that were given the same records one comes too late. */
    private boolean move(TopicPartition partition, long from, long to) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE positions SET next_offset = ? WHERE topic = ? AND part = ? AND next_offset = ?")) {
            statement.setLong(1, to);
            statement.setString(2, partition.topic());
            statement.setInt(3, partition.partition());
            statement.setLong(4, from);
            return statement.executeUpdate() == 1;
        }
    }

    private long position(TopicPartition partition) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT next_offset FROM positions WHERE topic = ? AND part = ?")) {
            statement.setString(1, partition.topic());
            statement.setInt(2, partition.partition());
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("positions: there is no row for " + partition + "; insert one");
                }
                positions.put(partition, rows.getLong(1));
                return rows.getLong(1);
            }
        }
    }

    /** So that somebody can look what became of a record. */
    private void note(ConsumerRecord<String, String> record, String reason) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO refused (topic, part, at, reason) VALUES (?, ?, ?, ?)")) {
            statement.setString(1, record.topic());
            statement.setInt(2, record.partition());
            statement.setLong(3, record.offset());
            statement.setString(4, reason);
            statement.executeUpdate();
        }
    }
}
