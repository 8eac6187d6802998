package dev.holdfast.guard.jdbc;

import dev.holdfast.contract.pause.Tally;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.StaleTokenException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/** A number in a PostgreSQL table. Each access is a transaction that enters first. */
public class PostgreSqlTally implements Tally {
    static final String KEY = "tally";

    private final JdbcGuard guard = new JdbcGuard(Dialect.POSTGRESQL);
    private final Connection connection;

    public PostgreSqlTally(String url) throws SQLException {
        connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
    }

    /** The same without a guard. */
    public static final class Unguarded extends PostgreSqlTally {
        public Unguarded(String url) throws SQLException {
            super(url);
        }

        @Override
        boolean enter(Connection connection, long token) {
            return true;
        }
    }

    /** Whether the guard lets the token in. */
    boolean enter(Connection connection, long token) throws SQLException {
        try {
            guard.enter(connection, Access.exclusive(KEY, token));
            return true;
        } catch (StaleTokenException e) {
            connection.rollback();
            return false;
        }
    }

    @Override
    public OptionalLong read(long token) throws SQLException {
        if (!enter(connection, token)) {
            return OptionalLong.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT n FROM tally")) {
            rows.next();
            long number = rows.getLong(1);
            connection.commit();
            return OptionalLong.of(number);
        }
    }

    @Override
    public boolean write(long token, long number) throws SQLException {
        if (!enter(connection, token)) {
            return false;
        }
        try (PreparedStatement statement = connection.prepareStatement("UPDATE tally SET n = ?")) {
            statement.setLong(1, number);
            statement.executeUpdate();
            connection.commit();
            return true;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
