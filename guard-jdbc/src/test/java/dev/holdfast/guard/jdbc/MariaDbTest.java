package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MariaDbTest extends ServerContract<MariaDbServer> {
    @Override
    MariaDbServer started() throws IOException, InterruptedException {
        return MariaDbServer.started();
    }

    @Override
    String impatientUrl() {
        return database().url() + "&sessionVariables=idle_transaction_timeout=2";
    }

    @Test
    void triggers_want_a_table_that_shows_its_tokens() {
        assertThatThrownBy(() -> new GuardedTable(Dialect.MYSQL, "orders", "id").triggerDdl())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("withTriggers()");
    }

    /** While the triggers were not there, nobody emptied the column. */
    @Test
    void what_was_shown_before_the_triggers_came_is_of_no_use_afterwards() throws SQLException {
        GuardedTable early = new GuardedTable(Dialect.MYSQL, "early", "id").withTriggers();
        database()
                .execute(
                        "CREATE TABLE early (id integer PRIMARY KEY, n bigint)",
                        "INSERT INTO early VALUES (1, 0), (2, 0)",
                        early.ddl(),
                        "UPDATE early SET fencing_token = 34, fencing_token_shown = 34 WHERE id = 1",
                        "UPDATE early SET fencing_token_shown = 34 WHERE id = 2");
        database().execute(early.triggerDdl().toArray(String[]::new));
        assertThatThrownBy(() -> database().execute("UPDATE early SET n = 1")).hasMessageContaining("shows no token");
        assertThat(database().number("SELECT count(*) FROM early WHERE fencing_token_shown IS NULL"))
                .isEqualTo(2);
    }
}
