package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Access;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers that know nothing of guards, on a table with triggers. */
@Timeout(120)
class TokenTriggerTest {
    private static PostgreSqlServer database;
    private final GuardedTable orders = new GuardedTable(Dialect.POSTGRESQL, "shop.orders", "id");

    @BeforeAll
    static void start() throws Exception {
        database = PostgreSqlServer.started();
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    @BeforeEach
    void orders() throws SQLException {
        database.execute(
                "DROP SCHEMA IF EXISTS shop CASCADE",
                "CREATE SCHEMA shop",
                "CREATE TABLE shop.orders (id integer PRIMARY KEY, state text)",
                "INSERT INTO shop.orders VALUES (1, 'new')",
                orders.ddl());
        database.execute(orders.triggerDdl().toArray(String[]::new));
        database.execute("UPDATE shop.orders SET state = 'paid', fencing_token = 34 WHERE id = 1");
    }

    private static void assertRefused(String sql, String why) {
        assertThatThrownBy(() -> database.execute(sql))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"))
                .hasMessageContaining(why);
    }

    @Test
    void an_update_with_the_rows_token_or_a_higher_one_passes() throws SQLException {
        database.execute(
                "UPDATE shop.orders SET state = 'sent', fencing_token = 34",
                "UPDATE shop.orders SET state = 'back', fencing_token = 35");
        assertThat(database.number("SELECT fencing_token FROM shop.orders WHERE state = 'back'"))
                .isEqualTo(35);
    }

    @Test
    void a_stale_update_is_refused_whoever_makes_it() throws SQLException {
        assertRefused(
                "UPDATE shop.orders SET state = 'lost', fencing_token = 33",
                "stale fencing token for table shop.orders: 33 was presented, 34 has entered");
        assertThat(database.number("SELECT count(*) FROM shop.orders WHERE state = 'paid'"))
                .isEqualTo(1);
    }

    @Test
    void an_update_that_names_no_token_is_refused() {
        assertRefused("UPDATE shop.orders SET state = 'lost'", "names none");
        assertRefused(
                "INSERT INTO shop.orders VALUES (1, 'lost', 99) ON CONFLICT (id) DO UPDATE SET state = 'lost'",
                "names none");
    }

    @Test
    void tokens_that_cannot_be_are_refused() {
        assertRefused("UPDATE shop.orders SET fencing_token = -34", "must be positive, is -34");
        assertRefused("UPDATE shop.orders SET fencing_token = 0", "must be positive");
        assertRefused("UPDATE shop.orders SET fencing_token = NULL", "must be positive");
    }

    @Test
    void a_row_is_not_deleted_for_its_token_would_be_forgotten() {
        assertRefused("DELETE FROM shop.orders", "not deleted");
    }

    @Test
    void the_statements_can_be_run_again() throws SQLException {
        database.execute(orders.triggerDdl().toArray(String[]::new));
        assertRefused("UPDATE shop.orders SET state = 'lost'", "names none");
    }

    @Test
    void a_guarded_update_passes() throws SQLException {
        try (Connection connection = database.connect()) {
            orders.update(connection, Access.exclusive("orders/1", 36), 1, Map.of("state", "sent"));
            connection.commit();
        }
        assertThat(database.number("SELECT fencing_token FROM shop.orders WHERE state = 'sent'"))
                .isEqualTo(36);
    }

    @Test
    void other_databases_have_no_triggers_from_here() {
        assertThatThrownBy(() -> new GuardedTable(Dialect.MYSQL, "orders", "id").triggerDdl())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("POSTGRESQL");
    }
}
