package dev.holdfast.guard.jdbc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.Marks;
import dev.holdfast.guard.Verdict.Entered;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Enters in one round trip: PostgreSQL's driver sends statements that stand in one text together, and each of them
 * sees what was committed when it began.
 *
 * <p>A mark is raised before all others are known, so a refused access may leave a higher mark of its own kind behind
 * if its transaction is committed nevertheless. That does no harm: whoever held the lock before is stale anyway.
 */
final class PipelinedEntering implements Entering {
    private final String passGate;
    private final String raise;
    private final String create;
    private final String readAll;
    private final String readPermit;

    PipelinedEntering(Name table) {
        String name = Dialect.POSTGRESQL.quoted(table);
        passGate = "SELECT 1 FROM " + name + " WHERE guard_key = ? AND slot = " + Rows.GATE + " FOR SHARE";
        // The row is locked even if there is nothing to raise.
        raise = "INSERT INTO " + name + " AS g (guard_key, slot, token, sequence) VALUES (?, ?, ?, ?)"
                + " ON CONFLICT (guard_key, slot) DO UPDATE SET token = excluded.token, sequence = excluded.sequence"
                + " WHERE g.token < excluded.token"
                + " OR (g.token = excluded.token AND g.sequence < excluded.sequence)"
                + " RETURNING 1";
        create = "INSERT INTO " + name + " (guard_key, slot, token, sequence) VALUES (?, " + Rows.GATE
                + ", 0, 0) ON CONFLICT DO NOTHING";
        readAll = "SELECT slot, token, sequence FROM " + name + " WHERE guard_key = ?";
        readPermit = readAll + " AND (slot < 0 OR slot = ?)";
    }

    @Override
    public Entry enter(Connection connection, Access access) throws SQLException {
        return switch (access.mode()) {
            case EXCLUSIVE -> enterAlone(connection, access);
            case SHARED -> enterShared(connection, access);
            case PERMIT -> enterPermit(connection, access);
        };
    }

    private Entry enterAlone(Connection connection, Access access) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(raise + "; " + readAll)) {
            setMark(statement, 1, access);
            statement.setString(5, access.key());
            statement.execute();
            boolean raised = hasRow(statement);
            return entered(access, raised, nextRows(statement));
        }
    }

    private Entry enterShared(Connection connection, Access access) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(passGate + "; " + readAll)) {
            statement.setString(1, access.key());
            statement.setString(2, access.key());
            statement.execute();
            while (!hasRow(statement)) {
                createGate(connection, access.key());
                statement.execute();
            }
            Marks before = nextRows(statement);
            Entered entered = before.enter(access).orRefuse(access);
            if (!entered.marks().equals(before)) {
                raise(connection, access);
            }
            return entered.entry();
        }
    }

    private Entry enterPermit(Connection connection, Access access) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(passGate + "; " + raise + "; " + readPermit)) {
            statement.setString(1, access.key());
            setMark(statement, 2, access);
            statement.setString(6, access.key());
            statement.setInt(7, access.slot());
            boolean raised = false;
            boolean passed;
            do {
                statement.execute();
                passed = hasRow(statement);
                statement.getMoreResults();
                raised |= hasRow(statement);
                if (!passed) {
                    createGate(connection, access.key());
                }
            } while (!passed);
            return entered(access, raised, nextRows(statement));
        }
    }

    /** What the marks say after they were raised is what they said before, but for a number that seems to repeat. */
    private static Entry entered(Access access, boolean raised, Marks after) {
        Entry entry = after.enter(access).orRefuse(access).entry();
        return raised ? Entry.NEW : entry;
    }

    private void raise(Connection connection, Access access) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            setMark(statement, 1, access);
            statement.execute();
        }
    }

    private void createGate(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(create)) {
            statement.setString(1, key);
            statement.executeUpdate();
        }
    }

    private static void setMark(PreparedStatement statement, int first, Access access) throws SQLException {
        statement.setString(first, access.key());
        statement.setInt(first + 1, Rows.rowOf(access));
        statement.setLong(first + 2, access.token());
        statement.setLong(first + 3, access.sequence());
    }

    private static boolean hasRow(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = Objects.requireNonNull(statement.getResultSet(), "a result")) {
            return rows.next();
        }
    }

    private static Marks nextRows(PreparedStatement statement) throws SQLException {
        statement.getMoreResults();
        try (ResultSet results = Objects.requireNonNull(statement.getResultSet(), "a result")) {
            Rows rows = new Rows();
            rows.add(results);
            return rows.marks();
        }
    }
}
