package dev.holdfast.guard.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A database in this process, as users' tests have it. */
final class H2Database implements Database {
    private static final String URL = "jdbc:h2:mem:guard;LOCK_TIMEOUT=30000";

    /** While there is a connection there is a database. */
    private final Connection anchor;

    H2Database() throws SQLException {
        anchor = DriverManager.getConnection(URL);
    }

    @Override
    public Dialect dialect() {
        return Dialect.H2;
    }

    @Override
    public String url() {
        return URL;
    }

    /** A statement that waits for a row which is not there yet counts as running. */
    @Override
    public String countOfWaiting() {
        return "SELECT count(*) FROM information_schema.sessions"
                + " WHERE executing_statement IS NOT NULL AND session_id <> SESSION_ID()";
    }

    @Override
    public void close() throws SQLException {
        anchor.close();
    }
}
