package dev.holdfast.guard.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** What guards ask of a connection. */
final class Transactions {
    private Transactions() {}

    /** @throws IllegalStateException if each statement of the connection is a transaction of its own */
    static void require(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("connection: is in auto-commit mode, so a mark would not be held until the"
                    + " access is done; call setAutoCommit(false), or enter inside a transaction");
        }
    }
}
