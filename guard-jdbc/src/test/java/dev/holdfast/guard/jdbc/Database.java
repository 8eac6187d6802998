package dev.holdfast.guard.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A database that tests run against. */
interface Database extends AutoCloseable {
    Dialect dialect();

    String url();

    /** Counts the transactions that wait for a row lock. */
    String countOfWaiting();

    /** A connection with auto-commit off. */
    default Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs statements, each in a transaction of its own. */
    default void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Makes a guard's table, or empties it. */
    default void empty(JdbcGuard guard) throws SQLException {
        execute(guard.ddl(), "DELETE FROM " + dialect().quoted(Name.table("table", JdbcGuard.DEFAULT_TABLE)));
    }

    /** The one number that a query gives. */
    default long number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    void close() throws IOException, SQLException;
}
