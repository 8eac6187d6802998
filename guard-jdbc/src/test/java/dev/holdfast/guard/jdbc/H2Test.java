package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class H2Test extends DatabaseContract<H2Database> {
    @Override
    H2Database started() throws SQLException {
        return new H2Database();
    }

    @Test
    void there_are_no_triggers() {
        GuardedTable orders = new GuardedTable(Dialect.H2, "orders", "id");
        assertThatThrownBy(orders::withTriggers)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no triggers for H2");
    }
}
