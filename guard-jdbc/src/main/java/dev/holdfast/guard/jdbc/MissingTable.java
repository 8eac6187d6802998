package dev.holdfast.guard.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** Says what to do when a database does not know a guard's table. */
final class MissingTable {
    /** PostgreSQL's; MySQL's, MariaDB's and H2's; H2's if there is one of a similar name, or no table at all. */
    private static final Set<String> STATES = Set.of("42P01", "42S02", "42S03", "42S04");

    private MissingTable() {}

    /** The same error, with the statement that helps if it is this one. */
    static SQLException explained(SQLException error, Name table, String ddl) {
        String state = error.getSQLState();
        if (state == null || !STATES.contains(state)) {
            return error;
        }
        return new SQLException(
                "there is no table '" + table + "' for this guard; create it first:\n" + ddl,
                state,
                error.getErrorCode(),
                error);
    }
}
