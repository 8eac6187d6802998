package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.OutOfOrderException;
import dev.holdfast.guard.StaleTokenException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a guard table must do, one access after the other, in every database. */
@Timeout(120)
abstract class GuardContract {
    private static final String KEY = "orders/42";

    protected abstract Database database();

    private JdbcGuard guard;

    @BeforeEach
    void empty() throws Exception {
        guard = new JdbcGuard(database().dialect());
        database().empty(guard);
    }

    /** Enters in a transaction of its own. */
    private Entry enter(Access access) throws SQLException {
        try (Connection connection = database().connect()) {
            Entry entry = guard.enter(connection, access);
            connection.commit();
            return entry;
        }
    }

    private void assertStale(Access access, long highest) {
        StaleTokenException stale = catchThrowableOfType(StaleTokenException.class, () -> enter(access));
        assertThat(stale).as("%s should be stale", access).isNotNull();
        assertThat(stale.presented()).isEqualTo(access.token());
        assertThat(stale.highest()).isEqualTo(highest);
    }

    @Test
    void the_dialect_is_known_from_a_connection() throws Exception {
        try (Connection connection = database().connect()) {
            assertThat(Dialect.of(connection)).isEqualTo(database().dialect());
        }
    }

    @Test
    void lower_tokens_are_refused_and_equal_and_higher_ones_pass() throws Exception {
        enter(Access.exclusive(KEY, 33));
        enter(Access.exclusive(KEY, 33));
        enter(Access.exclusive(KEY, 34));
        assertStale(Access.exclusive(KEY, 33), 34);
        enter(Access.exclusive(KEY, Long.MAX_VALUE));
        assertStale(Access.exclusive(KEY, 34), Long.MAX_VALUE);
    }

    @Test
    void keys_have_marks_of_their_own_to_the_byte() throws Exception {
        String[] keys = {"a", "A", "a ", " a", "ä", "a\u0308", "a/", "a'b", "a\\", "k".repeat(1_024)};
        for (int i = 0; i < keys.length; i++) {
            enter(Access.exclusive(keys[i], 100 - i));
        }
        for (int i = 0; i < keys.length; i++) {
            enter(Access.exclusive(keys[i], 100 - i));
            assertStale(Access.exclusive(keys[i], 99 - i), 100 - i);
        }
    }

    @Test
    void a_mark_is_rolled_back_with_its_transaction() throws Exception {
        enter(Access.exclusive(KEY, 33));
        try (Connection connection = database().connect()) {
            guard.enter(connection, Access.exclusive(KEY, 34));
            connection.rollback();
        }
        enter(Access.exclusive(KEY, 33));
    }

    @Test
    void a_refusal_leaves_the_transaction_usable_and_the_mark_as_it_was() throws Exception {
        enter(Access.exclusive(KEY, 34));
        try (Connection connection = database().connect()) {
            assertThatThrownBy(() -> guard.enter(connection, Access.exclusive(KEY, 33)))
                    .isInstanceOf(StaleTokenException.class);
            assertThat(guard.enter(connection, Access.exclusive("other", 1))).isEqualTo(Entry.NEW);
            connection.commit();
        }
        assertStale(Access.exclusive(KEY, 33), 34);
        enter(Access.exclusive(KEY, 34));
    }

    @Test
    void readers_pass_each_other_and_fence_older_writers() throws Exception {
        enter(Access.exclusive(KEY, 33));
        enter(Access.shared(KEY, 35));
        enter(Access.shared(KEY, 34));
        assertStale(Access.shared(KEY, 32), 33);
        assertStale(Access.exclusive(KEY, 33), 35);
        enter(Access.exclusive(KEY, 36));
        assertStale(Access.shared(KEY, 35), 36);
    }

    @Test
    void a_downgraded_holder_reads_under_its_old_token() throws Exception {
        enter(Access.exclusive(KEY, 33));
        enter(Access.shared(KEY, 33));
        enter(Access.exclusive(KEY, 33));
    }

    @Test
    void the_first_access_to_a_key_may_be_of_any_mode() throws Exception {
        enter(Access.shared("read", 5));
        assertStale(Access.exclusive("read", 4), 5);
        enter(Access.permit("permit", 5, 0));
        assertStale(Access.exclusive("permit", 4), 5);
    }

    @Test
    void permits_are_fenced_slot_by_slot() throws Exception {
        enter(Access.permit(KEY, 10, 0));
        enter(Access.permit(KEY, 12, 1));
        enter(Access.permit(KEY, 10, 0));
        enter(Access.permit(KEY, 11, 2));
        assertStale(Access.permit(KEY, 11, 1), 12);
        assertStale(Access.exclusive(KEY, 11), 12);
        assertStale(Access.shared(KEY, 11), 12);
        enter(Access.shared(KEY, 13));
        assertStale(Access.permit(KEY, 12, 1), 13);
        enter(Access.exclusive(KEY, 14));
        assertStale(Access.permit(KEY, 13, 7), 14);
    }

    @Test
    void each_number_of_a_write_is_taken_once() throws Exception {
        numbered(Access.exclusive(KEY, 33), Access.exclusive(KEY, 34));
        numbered(Access.permit("semaphore", 33, 3), Access.permit("semaphore", 34, 3));
    }

    private void numbered(Access grant, Access next) throws SQLException {
        assertThat(enter(grant)).isEqualTo(Entry.NEW);
        assertThat(enter(grant.write(1))).isEqualTo(Entry.NEW);
        assertThat(enter(grant.write(1))).isEqualTo(Entry.REPEATED);
        assertThat(enter(grant)).as("a read").isEqualTo(Entry.NEW);
        assertThat(enter(grant.write(1))).isEqualTo(Entry.REPEATED);
        assertThat(enter(grant.write(7))).isEqualTo(Entry.NEW);
        assertThatThrownBy(() -> enter(grant.write(6)))
                .isInstanceOfSatisfying(
                        OutOfOrderException.class, e -> assertThat(e.last()).isEqualTo(7));
        assertThat(enter(next.write(1))).isEqualTo(Entry.NEW);
        assertStale(grant.write(8), 34);
    }

    @Test
    void a_number_that_was_rolled_back_is_new_again() throws Exception {
        Access write = Access.exclusive(KEY, 33).write(1);
        try (Connection connection = database().connect()) {
            guard.enter(connection, write);
            connection.rollback();
        }
        assertThat(enter(write)).isEqualTo(Entry.NEW);
        assertThat(enter(write)).isEqualTo(Entry.REPEATED);
    }

    @Test
    void a_connection_in_auto_commit_mode_is_refused() throws Exception {
        try (Connection connection = DriverManager.getConnection(database().url())) {
            assertThatThrownBy(() -> guard.enter(connection, Access.exclusive(KEY, 33)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit")
                    .hasMessageContaining("setAutoCommit(false)");
        }
        enter(Access.exclusive(KEY, 1));
    }

    @Test
    void a_missing_table_is_told_with_the_statement_that_creates_it() throws Exception {
        JdbcGuard other = new JdbcGuard(database().dialect(), "other_guard");
        for (Access access : new Access[] {Access.exclusive(KEY, 1), Access.shared(KEY, 1), Access.permit(KEY, 1, 0)}) {
            try (Connection connection = database().connect()) {
                assertThatThrownBy(() -> other.enter(connection, access))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("other_guard")
                        .hasMessageContaining(other.ddl());
            }
        }
    }
}
