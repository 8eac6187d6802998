package dev.holdfast.guard.jdbc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of the caller's in which every row carries the token of its last holder.
 *
 * <p>One lock key belongs to one row. The column supports only exclusive accesses; for shared ones, permits and
 * numbered writes use {@link JdbcGuard}. A row that does not exist yet, or no longer exists, has no mark: its absence
 * is not guarded.
 *
 * <p>Transactions and errors are as with {@link JdbcGuard}.
 */
public final class GuardedTable {
    public static final String DEFAULT_COLUMN = "fencing_token";

    private static final String SHOWN = "_shown";

    private final Dialect dialect;
    private final Name table;
    private final Name id;
    private final Name token;
    private final @Nullable Name shown;

    /** Whether a row was found. */
    public enum Row {
        PRESENT,
        /** There is no such row, and nothing was done. */
        MISSING
    }

    /**
     * @param table its name, or schema and name with a dot between
     * @param id the column that identifies a row: the primary key, or another unique one
     */
    public GuardedTable(Dialect dialect, String table, String id) {
        this(dialect, table, id, DEFAULT_COLUMN);
    }

    /**
     * @param table its name, or schema and name with a dot between
     * @param id the column that identifies a row: the primary key, or another unique one
     * @param token the column that carries the token
     */
    public GuardedTable(Dialect dialect, String table, String id, String token) {
        this(dialect, Name.table("table", table), Name.column("id", id), Name.column("token", token), null);
    }

    private GuardedTable(Dialect dialect, Name table, Name id, Name token, @Nullable Name shown) {
        this.dialect = dialect;
        this.table = table;
        this.id = id;
        this.token = token;
        this.shown = shown;
    }

    /**
     * Enters a row before it is read, and locks it until the transaction ends.
     *
     * @throws StaleTokenException if somebody has entered the row who got the lock later
     */
    public Row enter(Connection connection, Access access, Object rowId) throws SQLException {
        return update(connection, access, rowId, Map.of());
    }

    /**
     * Changes a row. If the new values depend on old ones, {@link #enter} before reading those.
     *
     * @param values by column; at least the token is written with them
     * @throws StaleTokenException if somebody has entered the row who got the lock later
     */
    public Row update(
            Connection connection, Access access, Object rowId, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        Transactions.require(connection);
        requirePlain(access);
        if (change(connection, access, rowId, values) == 1) {
            return Row.PRESENT;
        }
        OptionalLong mark = lock(connection, rowId);
        if (mark.isEmpty()) {
            return Row.MISSING;
        }
        if (mark.getAsLong() > access.token()) {
            throw new StaleTokenException(access, mark.getAsLong());
        }
        // It came up in between, or the driver counts only rows that look different afterwards. Now it is locked.
        change(connection, access, rowId, values);
        return Row.PRESENT;
    }

    private int change(
            Connection connection, Access access, Object rowId, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        List<String> columns = new ArrayList<>(values.keySet());
        String assignments = columns.stream()
                .map(column -> dialect.quoted(Name.column("values", column)) + " = ?, ")
                .collect(Collectors.joining());
        String mark = dialect.quoted(token);
        String toTriggers = shown == null ? "" : dialect.quoted(shown) + " = ?, ";
        String sql = "UPDATE " + dialect.quoted(table) + " SET " + assignments + toTriggers + mark + " = ? WHERE "
                + dialect.quoted(id) + " = ? AND " + mark + " <= ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameter = 1;
            for (String column : columns) {
                statement.setObject(parameter++, values.get(column));
            }
            if (shown != null) {
                statement.setLong(parameter++, access.token());
            }
            statement.setLong(parameter++, access.token());
            statement.setObject(parameter++, rowId);
            statement.setLong(parameter, access.token());
            int changed = statement.executeUpdate();
            if (changed > 1) {
                throw new IllegalStateException("id: " + changed + " rows of table '" + table + "' have " + id + " = "
                        + rowId + ", so some may have been left out as stale; roll back, and name a unique column");
            }
            return changed;
        }
    }

    private OptionalLong lock(Connection connection, Object rowId) throws SQLException {
        String sql = "SELECT " + dialect.quoted(token) + " FROM " + dialect.quoted(table) + " WHERE "
                + dialect.quoted(id) + " = ? " + dialect.suffix(RowLock.EXCLUSIVE);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, rowId);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private void requirePlain(Access access) {
        if (access.mode() != Access.Mode.EXCLUSIVE) {
            throw new InvalidAccessException(
                    "mode",
                    "must be EXCLUSIVE for column '" + token + "', is " + access.mode()
                            + "; a guard table takes all modes");
        }
        if (access.sequence() != Access.NO_SEQUENCE) {
            throw new InvalidAccessException(
                    "sequence", "must be absent, because column '" + token + "' keeps no numbers; a guard table does");
        }
    }

    /** Returns the statement that adds the token column to the table. */
    public String ddl() {
        String added = "ALTER TABLE " + dialect.quoted(table) + " ADD COLUMN " + dialect.quoted(token)
                + " bigint NOT NULL DEFAULT 0";
        return shown == null ? added : added + ", ADD COLUMN " + dialect.quoted(shown) + " bigint";
    }

    /**
     * Returns the same for a table with the triggers of {@link #triggerDdl}. This matters on MySQL and MariaDB, whose
     * triggers do not see whether an update set a column: there an update shows its token in a second column, which is
     * always empty afterwards.
     *
     * @throws IllegalStateException if there are no such triggers for the dialect
     */
    public GuardedTable withTriggers() {
        return switch (dialect) {
            case POSTGRESQL -> this;
            case MYSQL -> new GuardedTable(dialect, table, id, token, Name.column("token", token.last() + SHOWN));
            case H2 -> throw new IllegalStateException("dialect: there are no triggers for H2");
        };
    }

    /**
     * Returns the statements that make the database refuse, from every client, each update of the table that shows no
     * token or one below the row's, and each deletion, because it would delete the row's mark.
     *
     * @throws IllegalStateException if this is not {@link #withTriggers}
     */
    public List<String> triggerDdl() {
        if (dialect == Dialect.POSTGRESQL) {
            return new TokenTrigger(table, token).ddl();
        }
        if (shown == null) {
            throw new IllegalStateException("triggers: make this table withTriggers() first, for " + dialect);
        }
        return new ShownTokenTrigger(table, token, shown).ddl();
    }
}
