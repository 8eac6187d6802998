package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a guard must do between transactions that overlap, at every isolation level it is right at. */
@Timeout(120)
abstract class ConcurrencyContract {
    private static final String KEY = "counter";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    protected abstract Database database();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private JdbcGuard guard;

    enum Isolation {
        READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
        REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
        SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

        private final int level;

        Isolation(int level) {
            this.level = level;
        }
    }

    @BeforeEach
    void counter() throws Exception {
        guard = new JdbcGuard(database().dialect());
        database()
                .execute(
                        "DROP TABLE IF EXISTS counters",
                        "CREATE TABLE counters (id integer PRIMARY KEY, n bigint NOT NULL)",
                        "INSERT INTO counters VALUES (1, 5)",
                        "DROP TABLE IF EXISTS accepted",
                        "CREATE TABLE accepted (n bigint NOT NULL, token bigint NOT NULL)");
        database().empty(guard);
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private Connection connect(Isolation isolation) throws SQLException {
        Connection connection = database().connect();
        connection.setTransactionIsolation(isolation.level);
        return connection;
    }

    private static long read(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT n FROM counters WHERE id = 1")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void write(Connection connection, long n) throws SQLException {
        try (var statement = connection.prepareStatement("UPDATE counters SET n = ? WHERE id = 1")) {
            statement.setLong(1, n);
            statement.executeUpdate();
        }
    }

    private long increment(Isolation isolation, Access access) throws SQLException {
        try (Connection connection = connect(isolation)) {
            return increment(connection, access);
        }
    }

    /** Reads, adds one and writes, in one transaction; again as long as the database asks for it. */
    private long increment(Connection connection, Access access) throws SQLException {
        while (true) {
            try {
                guard.enter(connection, access);
                long n = read(connection) + 1;
                write(connection, n);
                note(connection, n, access.token());
                connection.commit();
                return n;
            } catch (SQLException e) {
                connection.rollback();
                if (!Retry.isAskedFor(e)) {
                    throw e;
                }
            }
        }
    }

    private static void note(Connection connection, long n, long token) throws SQLException {
        try (var statement = connection.prepareStatement("INSERT INTO accepted VALUES (?, ?)")) {
            statement.setLong(1, n);
            statement.setLong(2, token);
            statement.executeUpdate();
        }
    }

    private void awaitWaiting(int transactions) {
        await().atMost(PATIENCE).until(() -> database().number(database().countOfWaiting()) == transactions);
    }

    @ParameterizedTest
    @EnumSource
    void a_later_holder_waits_for_an_older_ones_transaction_and_sees_what_it_did(Isolation isolation) throws Exception {
        try (Connection older = connect(isolation)) {
            guard.enter(older, Access.exclusive(KEY, 33));
            write(older, read(older) + 1);
            Future<Long> later = threads.submit(() -> increment(isolation, Access.exclusive(KEY, 34)));
            awaitWaiting(1);
            older.commit();
            assertThat(later.get()).isEqualTo(7);
        }
        assertThatThrownBy(() -> increment(isolation, Access.exclusive(KEY, 33)))
                .isInstanceOf(StaleTokenException.class);
    }

    @ParameterizedTest
    @EnumSource
    void an_older_holder_that_waited_for_a_later_one_is_stale(Isolation isolation) throws Exception {
        increment(isolation, Access.exclusive(KEY, 32));
        try (Connection later = connect(isolation)) {
            guard.enter(later, Access.exclusive(KEY, 34));
            Future<Long> older = threads.submit(() -> increment(isolation, Access.exclusive(KEY, 33)));
            awaitWaiting(1);
            write(later, read(later) + 1);
            later.commit();
            assertThatThrownBy(older::get).hasCauseInstanceOf(StaleTokenException.class);
        }
        assertThat(database().number("SELECT n FROM counters")).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void an_older_holder_gets_in_if_the_later_one_rolls_back(Isolation isolation) throws Exception {
        try (Connection later = connect(isolation)) {
            guard.enter(later, Access.exclusive(KEY, 34));
            Future<Long> older = threads.submit(() -> increment(isolation, Access.exclusive(KEY, 33)));
            awaitWaiting(1);
            later.rollback();
            assertThat(older.get()).isEqualTo(6);
        }
    }

    /** The mark of a reader may be a row that was not there when the writer began to wait. */
    @ParameterizedTest
    @EnumSource
    void an_older_writer_that_waited_for_a_reader_is_stale(Isolation isolation) throws Exception {
        try (Connection reader = connect(isolation)) {
            guard.enter(reader, Access.shared(KEY, 34));
            Future<Long> writer = threads.submit(() -> increment(isolation, Access.exclusive(KEY, 33)));
            awaitWaiting(1);
            assertThat(read(reader)).isEqualTo(5);
            reader.commit();
            assertThatThrownBy(writer::get).hasCauseInstanceOf(StaleTokenException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_older_writer_that_waited_for_a_permit_is_stale(Isolation isolation) throws Exception {
        try (Connection permit = connect(isolation)) {
            guard.enter(permit, Access.permit(KEY, 34, 2));
            Future<Long> writer = threads.submit(() -> increment(isolation, Access.exclusive(KEY, 33)));
            awaitWaiting(1);
            permit.commit();
            assertThatThrownBy(writer::get).hasCauseInstanceOf(StaleTokenException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_writer_waits_for_readers_that_are_inside(Isolation isolation) throws Exception {
        increment(isolation, Access.exclusive(KEY, 32));
        try (Connection reader = connect(isolation)) {
            guard.enter(reader, Access.shared(KEY, 33));
            Future<Long> writer = threads.submit(() -> increment(isolation, Access.exclusive(KEY, 34)));
            awaitWaiting(1);
            assertThat(read(reader)).isEqualTo(6);
            reader.commit();
            assertThat(writer.get()).isEqualTo(7);
        }
    }

    /** MariaDB's SERIALIZABLE locks what lies between the rows that it reads. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SERIALIZABLE")
    void new_keys_side_by_side_do_not_wait_for_each_other(Isolation isolation) throws Exception {
        List<Connection> open = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                Connection connection = connect(isolation);
                open.add(connection);
                guard.enter(connection, Access.exclusive("orders/" + i % 4 + "/" + i, 1));
                guard.enter(connection, Access.shared("orders/" + i % 4 + "/shared" + i, 1));
                guard.enter(connection, Access.permit("orders/" + i % 4 + "/permit" + i, 1, i));
            }
            for (Connection connection : open) {
                connection.commit();
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    /** PostgreSQL asks for another try; the others let it in, and it sees again what it saw. The documents tell. */
    @Test
    void on_repeatable_read_a_transaction_that_read_before_it_entered_is_too_late() throws Exception {
        try (Connection early = connect(Isolation.REPEATABLE_READ)) {
            assertThat(read(early)).isEqualTo(5);
            increment(Isolation.REPEATABLE_READ, Access.exclusive(KEY, 33));
            Access later = Access.exclusive(KEY, 34);
            if (database().dialect() == Dialect.POSTGRESQL) {
                assertThatThrownBy(() -> guard.enter(early, later))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(Retry.isAskedFor(e)).isTrue());
            } else {
                guard.enter(early, later);
                assertThat(read(early)).isEqualTo(5);
            }
        }
    }

    /**
     * Each worker is granted a lock and is late with it, by chance: it enters while later ones have come and gone, or
     * are inside. Whatever was accepted must have counted, and tokens must never go back.
     */
    @ParameterizedTest
    @EnumSource
    void concurrent_late_writers_lose_no_update(Isolation isolation) throws Exception {
        long seed = Seed.of("concurrent_late_writers");
        AtomicLong tokens = new AtomicLong();
        AtomicInteger stale = new AtomicInteger();
        List<Callable<Integer>> workers = new ArrayList<>();
        for (int worker = 0; worker < 6; worker++) {
            Random random = new Random(seed + worker);
            workers.add(() -> lateWriter(isolation, tokens, stale, random));
        }
        int done = 0;
        for (Future<Integer> worker : threads.invokeAll(workers)) {
            done += worker.get();
        }
        assertThat(database().number("SELECT n FROM counters")).isEqualTo(5 + done);
        assertThat(stale).as("stale accesses, seed %d", seed).hasPositiveValue();
        assertThat(database()
                        .number("SELECT count(*) FROM accepted a JOIN accepted b ON a.n < b.n AND a.token > b.token"))
                .as("tokens that went back, seed %d", seed)
                .isZero();
    }

    /** @return how many of its updates were accepted */
    private int lateWriter(Isolation isolation, AtomicLong tokens, AtomicInteger stale, Random random)
            throws SQLException {
        int done = 0;
        long token = tokens.incrementAndGet();
        try (Connection connection = connect(isolation)) {
            for (int i = 0; i < 40; i++) {
                if (random.nextInt(3) == 0) {
                    token = tokens.incrementAndGet();
                }
                try {
                    increment(connection, Access.exclusive(KEY, token));
                    done++;
                } catch (StaleTokenException e) {
                    connection.rollback();
                    stale.incrementAndGet();
                    token = tokens.incrementAndGet();
                }
            }
        }
        return done;
    }
}
