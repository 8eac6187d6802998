package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Inside Spring's transactions, with nothing of Spring's in the guard. */
@Timeout(120)
class SpringTest extends DatabaseTest<PostgreSqlServer> {
    private final JdbcGuard guard = new JdbcGuard(Dialect.POSTGRESQL);
    private DataSource source;
    private JdbcTemplate jdbc;
    private TransactionTemplate transaction;

    @Override
    PostgreSqlServer started() throws IOException, InterruptedException {
        return PostgreSqlServer.started();
    }

    @BeforeEach
    void counter() throws SQLException {
        source = new DriverManagerDataSource(database().url());
        jdbc = new JdbcTemplate(source);
        transaction = new TransactionTemplate(new JdbcTransactionManager(source));
        database().empty(guard);
        database()
                .execute(
                        "DROP TABLE IF EXISTS counters",
                        "CREATE TABLE counters (n bigint NOT NULL)",
                        "INSERT INTO counters VALUES (5)");
    }

    private void enter(long token) {
        jdbc.execute((ConnectionCallback<Entry>) c -> guard.enter(c, Access.exclusive("counter", token)));
    }

    private void increment(long token) {
        transaction.executeWithoutResult(status -> {
            enter(token);
            Long n = jdbc.queryForObject("SELECT n FROM counters", Long.class);
            jdbc.update("UPDATE counters SET n = ?", n + 1);
        });
    }

    @Test
    void a_stale_access_rolls_the_transaction_back() throws SQLException {
        increment(33);
        increment(34);
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jdbc.update("UPDATE counters SET n = 0");
                    enter(33);
                }))
                .isInstanceOf(StaleTokenException.class);
        assertThat(database().number("SELECT n FROM counters")).isEqualTo(7);
    }

    @Test
    void the_mark_is_rolled_back_with_springs_transaction() throws SQLException {
        transaction.executeWithoutResult(status -> {
            enter(40);
            status.setRollbackOnly();
        });
        increment(33);
        assertThat(database().number("SELECT n FROM counters")).isEqualTo(6);
    }

    @Test
    void connections_of_data_source_utils_and_of_the_proxy_are_springs_transaction() throws SQLException {
        DataSource proxy = new TransactionAwareDataSourceProxy(source);
        transaction.executeWithoutResult(status -> {
            Connection springs = DataSourceUtils.getConnection(source);
            try (Connection proxied = proxy.getConnection()) {
                guard.enter(springs, Access.exclusive("counter", 33));
                guard.enter(proxied, Access.exclusive("counter", 34));
            } catch (SQLException e) {
                throw new AssertionError(e);
            } finally {
                DataSourceUtils.releaseConnection(springs, source);
            }
            status.setRollbackOnly();
        });
        increment(1);
        assertThat(database().number("SELECT n FROM counters")).isEqualTo(6);
    }

    @Test
    void outside_a_transaction_it_is_refused() {
        assertThatThrownBy(() -> enter(33))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("auto-commit");
    }

    @Test
    void errors_of_the_database_keep_their_meaning() {
        JdbcGuard missing = new JdbcGuard(Dialect.POSTGRESQL, "nowhere");
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> jdbc.execute(
                        (ConnectionCallback<Entry>) c -> missing.enter(c, Access.exclusive("counter", 1)))))
                .isInstanceOf(BadSqlGrammarException.class)
                .hasStackTraceContaining("CREATE TABLE");
    }
}
