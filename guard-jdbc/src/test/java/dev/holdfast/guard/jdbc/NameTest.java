package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "a.",
                ".a",
                "a.b.c",
                "1a",
                "a b",
                "a-b",
                "a\"b",
                "a`b",
                "a;DROP TABLE b",
                "ä",
                "a\n",
                "a'",
                "a$holdfast$"
            })
    void what_is_not_a_name_is_refused(String text) {
        assertThatThrownBy(() -> new JdbcGuard(Dialect.POSTGRESQL, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table: must be");
    }

    @Test
    void a_name_has_at_most_63_characters() {
        assertThat(Name.column("column", "a".repeat(63)).last()).hasSize(63);
        assertThatThrownBy(() -> Name.column("column", "a".repeat(64))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void names_are_quoted_part_by_part() {
        assertThat(Dialect.POSTGRESQL.quoted(Name.table("table", "shop.Order"))).isEqualTo("\"shop\".\"Order\"");
        assertThat(Dialect.MYSQL.quoted(Name.table("table", "select"))).isEqualTo("`select`");
    }

    @Test
    void a_trigger_needs_room_for_its_name() {
        GuardedTable table = new GuardedTable(Dialect.POSTGRESQL, "a".repeat(60), "id");
        assertThatThrownBy(table::triggerDdl)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name made of table");
    }
}
