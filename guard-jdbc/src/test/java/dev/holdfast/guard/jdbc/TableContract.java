package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.StaleTokenException;
import dev.holdfast.guard.jdbc.GuardedTable.Row;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a table with a token column must do, in every database. */
@Timeout(120)
abstract class TableContract {
    private static final Access OLD = Access.exclusive("accounts/1", 33);
    private static final Access NEW = Access.exclusive("accounts/1", 34);

    protected abstract Database database();

    private GuardedTable accounts;

    @BeforeEach
    void accounts() throws Exception {
        accounts = new GuardedTable(database().dialect(), "accounts", "id");
        String table = quoted("accounts");
        database()
                .execute(
                        "DROP TABLE IF EXISTS " + table,
                        "CREATE TABLE " + table + " (" + quoted("id") + " integer PRIMARY KEY, " + quoted("balance")
                                + " bigint, " + quoted("note") + " varchar(20))",
                        "INSERT INTO " + table + " VALUES (1, 5, 'x'), (2, 5, 'x')",
                        accounts.ddl());
    }

    private String quoted(String name) {
        return database().dialect().quoted(Name.column("name", name));
    }

    private Row update(Access access, int id, long balance) throws SQLException {
        try (Connection connection = database().connect()) {
            Row row = accounts.update(connection, access, id, Map.of("balance", balance));
            connection.commit();
            return row;
        }
    }

    private long balance(int id) throws SQLException {
        return database()
                .number("SELECT " + quoted("balance") + " FROM " + quoted("accounts") + " WHERE " + quoted("id") + " = "
                        + id);
    }

    private long read(Connection connection) throws SQLException {
        String sql = "SELECT " + quoted("balance") + " FROM " + quoted("accounts") + " WHERE " + quoted("id") + " = 1";
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void equal_and_higher_tokens_write_and_lower_ones_do_not() throws Exception {
        assertThat(update(OLD, 1, 6)).isEqualTo(Row.PRESENT);
        assertThat(update(OLD, 1, 7)).isEqualTo(Row.PRESENT);
        assertThat(update(OLD, 1, 7)).as("the same once more").isEqualTo(Row.PRESENT);
        assertThat(update(NEW, 1, 8)).isEqualTo(Row.PRESENT);
        assertThatThrownBy(() -> update(OLD, 1, 9)).isInstanceOfSatisfying(StaleTokenException.class, e -> {
            assertThat(e.presented()).isEqualTo(33);
            assertThat(e.highest()).isEqualTo(34);
        });
        assertThat(balance(1)).isEqualTo(8);
    }

    @Test
    void rows_have_marks_of_their_own() throws Exception {
        update(NEW, 1, 8);
        assertThat(update(OLD, 2, 6)).isEqualTo(Row.PRESENT);
        assertThat(balance(2)).isEqualTo(6);
    }

    @Test
    void a_missing_row_is_not_a_stale_one() throws Exception {
        assertThat(update(OLD, 3, 1)).isEqualTo(Row.MISSING);
        try (Connection connection = database().connect()) {
            assertThat(accounts.enter(connection, OLD, 3)).isEqualTo(Row.MISSING);
        }
    }

    @Test
    void values_may_be_null_and_several() throws Exception {
        Map<String, Object> values = new HashMap<>();
        values.put("note", null);
        values.put("balance", 9L);
        try (Connection connection = database().connect()) {
            accounts.update(connection, OLD, 1, values);
            connection.commit();
        }
        assertThat(balance(1)).isEqualTo(9);
        assertThat(database()
                        .number("SELECT count(*) FROM " + quoted("accounts") + " WHERE " + quoted("note") + " IS NULL"))
                .isEqualTo(1);
    }

    /** B reads, stale A writes, B writes what it made of what it read. A's update is gone, and nobody was told. */
    @Test
    void comparing_tokens_on_writes_alone_loses_an_update() throws Exception {
        try (Connection b = database().connect()) {
            long seen = read(b);
            b.commit();
            update(OLD, 1, seen + 1);
            accounts.update(b, NEW, 1, Map.of("balance", seen + 1));
            b.commit();
        }
        assertThat(balance(1)).as("after two accepted increments of 5").isEqualTo(6);
    }

    @Test
    void entering_before_the_read_loses_none() throws Exception {
        try (Connection b = database().connect()) {
            accounts.enter(b, NEW, 1);
            long seen = read(b);
            b.commit();
            assertThatThrownBy(() -> update(OLD, 1, seen + 1)).isInstanceOf(StaleTokenException.class);
            accounts.update(b, NEW, 1, Map.of("balance", seen + 1));
            b.commit();
        }
        assertThat(balance(1)).as("after one accepted increment of 5").isEqualTo(6);
    }

    @Test
    void a_column_takes_no_shared_access_no_permit_and_no_numbers() throws Exception {
        try (Connection connection = database().connect()) {
            for (Access access : new Access[] {
                Access.shared("a", 1),
                Access.permit("a", 1, 0),
                Access.exclusive("a", 1).write(1)
            }) {
                assertThatThrownBy(() -> accounts.enter(connection, access, 1))
                        .isInstanceOf(InvalidAccessException.class)
                        .hasMessageContaining("guard table");
            }
        }
    }

    @Test
    void auto_commit_is_refused() throws Exception {
        try (Connection connection = DriverManager.getConnection(database().url())) {
            assertThatThrownBy(() -> accounts.update(connection, OLD, 1, Map.of("balance", 1L)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
    }

    @Test
    void an_id_that_is_not_unique_is_told() throws Exception {
        GuardedTable wrong = new GuardedTable(database().dialect(), "accounts", "note");
        try (Connection connection = database().connect()) {
            assertThatThrownBy(() -> wrong.update(connection, OLD, "x", Map.of("balance", 1L)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("2 rows of table 'accounts'");
        }
    }

    @Test
    void columns_are_names_and_nothing_else() throws Exception {
        try (Connection connection = database().connect()) {
            assertThatThrownBy(() -> accounts.update(connection, OLD, 1, Map.of("balance = 0 --", 1L)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("values: must be letters");
        }
    }
}
