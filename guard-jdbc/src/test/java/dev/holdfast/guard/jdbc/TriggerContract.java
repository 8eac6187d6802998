package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers that know nothing of guards, on a table with triggers. */
@Timeout(120)
abstract class TriggerContract {
    private GuardedTable orders;
    private boolean postgresql;

    /** The column in which an update shows its token. */
    private String shown;

    protected abstract Database database();

    @BeforeEach
    void orders() throws SQLException {
        postgresql = database().dialect() == Dialect.POSTGRESQL;
        shown = postgresql ? "fencing_token" : "fencing_token_shown";
        orders = new GuardedTable(database().dialect(), "shop.orders", "id").withTriggers();
        database()
                .execute(
                        "DROP SCHEMA IF EXISTS shop" + (postgresql ? " CASCADE" : ""),
                        "CREATE SCHEMA shop",
                        "CREATE TABLE shop.orders (id integer PRIMARY KEY, state varchar(20))",
                        "INSERT INTO shop.orders VALUES (1, 'new')",
                        orders.ddl());
        install();
        database().execute("UPDATE shop.orders SET state = 'paid', " + shown + " = 34 WHERE id = 1");
    }

    private void install() throws SQLException {
        database().execute(orders.triggerDdl().toArray(String[]::new));
    }

    private void assertRefused(String sql, String why) throws SQLException {
        assertThatThrownBy(() -> database().execute(sql))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"))
                .hasMessageContaining(why);
        assertThat(database().number("SELECT count(*) FROM shop.orders WHERE state = 'paid' AND fencing_token = 34"))
                .as("the row is as it was after: %s", sql)
                .isEqualTo(1);
    }

    @Test
    void an_update_with_the_rows_token_or_a_higher_one_passes() throws SQLException {
        database()
                .execute(
                        "UPDATE shop.orders SET state = 'sent', " + shown + " = 34",
                        "UPDATE shop.orders SET state = 'back', " + shown + " = 35");
        assertThat(database().number("SELECT fencing_token FROM shop.orders WHERE state = 'back'"))
                .isEqualTo(35);
    }

    @Test
    void a_stale_update_is_refused_whoever_makes_it() throws SQLException {
        assertRefused("UPDATE shop.orders SET state = 'lost', " + shown + " = 33", "33 was presented, 34 has entered");
    }

    @Test
    void an_update_that_shows_no_token_is_refused_whatever_was_shown_before() throws SQLException {
        String why = postgresql ? "names none" : "shows no token";
        assertRefused("UPDATE shop.orders SET state = 'lost'", why);
        String row = postgresql ? "(1, 'lost', 99)" : "(1, 'lost', 99, 99)";
        String otherwise = postgresql ? " ON CONFLICT (id) DO UPDATE SET" : " ON DUPLICATE KEY UPDATE";
        assertRefused("INSERT INTO shop.orders VALUES " + row + otherwise + " state = 'lost'", why);
    }

    /** Where tokens are shown in a column of its own, the mark itself is the triggers' alone. */
    @Test
    void the_mark_is_not_lowered_by_hand() throws SQLException {
        assertRefused("UPDATE shop.orders SET fencing_token = 1", postgresql ? "1 was presented" : "shows no token");
        if (!postgresql) {
            database().execute("UPDATE shop.orders SET fencing_token = 1, fencing_token_shown = 34");
            assertThat(database().number("SELECT fencing_token FROM shop.orders"))
                    .isEqualTo(34);
        }
    }

    @Test
    void a_new_row_is_held_to_its_token_from_the_first_update_on() throws SQLException {
        database()
                .execute(
                        "INSERT INTO shop.orders (id, state, " + shown + ") VALUES (2, 'new', 40)",
                        "UPDATE shop.orders SET state = 'mine', " + shown + " = 41 WHERE id = 2");
        String why = postgresql ? "names none" : "shows no token";
        assertRefused("UPDATE shop.orders SET state = 'lost' WHERE id = 2", why);
        database().execute("INSERT INTO shop.orders (id, state, " + shown + ") VALUES (3, 'new', 40)");
        assertRefused("UPDATE shop.orders SET state = 'lost' WHERE id = 3", why);
    }

    @Test
    void tokens_that_cannot_be_are_refused() throws SQLException {
        assertRefused("UPDATE shop.orders SET " + shown + " = -34", "must be positive, is -34");
        assertRefused("UPDATE shop.orders SET " + shown + " = 0", "must be positive");
        assertRefused(
                "UPDATE shop.orders SET " + shown + " = NULL", postgresql ? "must be positive" : "shows no token");
    }

    @Test
    void a_row_is_not_deleted_for_its_token_would_be_forgotten() throws SQLException {
        assertRefused("DELETE FROM shop.orders", "not deleted");
        if (!postgresql) {
            assertRefused("REPLACE INTO shop.orders VALUES (1, 'lost', 99, 99)", "not deleted");
        }
    }

    @Test
    void a_row_whose_token_is_negative_is_not_updated_without_one() throws SQLException {
        database().execute("INSERT INTO shop.orders (id, state, " + shown + ") VALUES (2, 'new', -7)");
        assertRefused(
                "UPDATE shop.orders SET state = 'lost' WHERE id = 2", postgresql ? "names none" : "shows no token");
        database().execute("UPDATE shop.orders SET state = 'mine', " + shown + " = 40 WHERE id = 2");
        assertThat(database().number("SELECT fencing_token FROM shop.orders WHERE id = 2"))
                .isEqualTo(40);
    }

    /** The others have no triggers for it; there it takes the right to drop the table. */
    @Test
    void a_table_is_not_emptied_either_where_there_are_triggers_for_that() throws SQLException {
        if (postgresql) {
            assertRefused("TRUNCATE shop.orders", "not deleted");
            assertRefused("TRUNCATE shop.orders CASCADE", "not deleted");
        }
    }

    @Test
    void the_statements_can_be_run_again() throws SQLException {
        install();
        assertRefused("UPDATE shop.orders SET " + shown + " = 33", "33 was presented");
    }

    @Test
    void a_guarded_update_passes_as_often_as_its_holder_likes_and_a_stale_one_is_told_so() throws SQLException {
        for (String state : List.of("sent", "sent", "back")) {
            update(36, state);
        }
        assertThat(database().number("SELECT fencing_token FROM shop.orders WHERE state = 'back'"))
                .isEqualTo(36);
        assertThatThrownBy(() -> update(35, "lost")).isInstanceOf(StaleTokenException.class);
    }

    private void update(long token, String state) throws SQLException {
        try (Connection connection = database().connect()) {
            orders.update(connection, Access.exclusive("orders/1", token), 1, Map.of("state", state));
            connection.commit();
        }
    }
}
