package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers and servers that die or stall between a token and its data. */
@Timeout(180)
abstract class CrashContract {
    static final String KEY = "counter";

    protected abstract ServerProcess server();

    /** The server's address, with the wish that it ends transactions which do nothing for two seconds. */
    protected abstract String impatientUrl();

    private JdbcGuard guard;

    @BeforeEach
    void counter() throws Exception {
        guard = new JdbcGuard(server().dialect());
        server().execute(
                        "DROP TABLE IF EXISTS written",
                        "CREATE TABLE written (n bigint NOT NULL, token bigint NOT NULL)",
                        "INSERT INTO written VALUES (0, 0)");
        server().empty(guard);
    }

    /** Adds one, and says under which token. */
    static void increment(Connection connection, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE written SET n = n + 1, token = ?")) {
            statement.setLong(1, token);
            statement.executeUpdate();
        }
    }

    private void enterAndIncrement(long token) throws SQLException {
        try (Connection connection = server().connect()) {
            guard.enter(connection, Access.exclusive(KEY, token));
            increment(connection, token);
            connection.commit();
        }
    }

    private long number(String column) throws SQLException {
        return server().number("SELECT " + column + " FROM written");
    }

    private long mark() throws SQLException {
        return server().number("SELECT coalesce(max(token), 0) FROM " + JdbcGuard.DEFAULT_TABLE);
    }

    @Test
    void a_writer_that_is_killed_inside_leaves_neither_its_token_nor_its_data() throws Exception {
        try (Writer writer = Writer.inside(server().dialect(), server().url(), 34)) {
            writer.kill();
            enterAndIncrement(33);
        }
        assertThat(number("n")).isEqualTo(1);
        assertThat(mark()).isEqualTo(33);
    }

    @Test
    void a_server_that_is_killed_keeps_both_or_neither() throws Exception {
        enterAndIncrement(33);
        try (Writer writer = Writer.inside(server().dialect(), server().url(), 34)) {
            server().kill();
            server().start();
            assertThat(writer.commits()).isFalse();
        }
        assertThat(number("token")).isEqualTo(33);
        assertThat(mark()).isEqualTo(33);
        assertThatThrownBy(() -> enterAndIncrement(32)).isInstanceOf(StaleTokenException.class);
        enterAndIncrement(33);
    }

    /** The one danger of a guard that is right: it would wait for a stopped holder as long as the database does. */
    @Test
    void a_writer_that_is_stopped_inside_keeps_its_successor_no_longer_than_the_database_lets_it() throws Exception {
        try (Writer writer = Writer.inside(server().dialect(), impatientUrl(), 33)) {
            writer.signal("STOP");
            enterAndIncrement(34);
            writer.signal("CONT");
            assertThat(writer.commits()).isFalse();
        }
        assertThat(number("n")).isEqualTo(1);
        assertThat(mark()).isEqualTo(34);
    }

    @Test
    void a_server_that_is_killed_under_load_loses_nothing_it_acknowledged() throws Exception {
        long seed = Seed.of("a_server_that_is_killed_under_load");
        Random random = new Random(seed);
        AtomicLong tokens = new AtomicLong();
        AtomicLong acknowledged = new AtomicLong();
        for (int round = 0; round < 3; round++) {
            long before = number("n");
            acknowledged.set(0);
            CountDownLatch enough = new CountDownLatch(20 + random.nextInt(60));
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                writers.add(threads.submit(() -> writeUntilItFails(tokens, acknowledged, enough)));
            }
            enough.await();
            server().kill();
            for (Future<?> writer : writers) {
                writer.get();
            }
            threads.shutdown();
            server().start();
            // A writer whose commit was not answered does not know; the mark and the data agree all the same.
            assertThat(number("n") - before).as("seed %d", seed).isBetween(acknowledged.get(), acknowledged.get() + 3);
            assertThat(number("token")).as("seed %d", seed).isEqualTo(mark());
        }
    }

    private void writeUntilItFails(AtomicLong tokens, AtomicLong acknowledged, CountDownLatch enough) {
        try {
            while (true) {
                try {
                    enterAndIncrement(tokens.incrementAndGet());
                    acknowledged.incrementAndGet();
                    enough.countDown();
                } catch (StaleTokenException e) {
                    // Another came first: the next token is higher.
                }
            }
        } catch (SQLException e) {
            // The server is gone.
        }
    }
}
