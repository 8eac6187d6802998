package dev.holdfast.guard.jdbc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.Marks;
import dev.holdfast.guard.Verdict.Entered;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLTransactionRollbackException;

/**
 * Enters step by step: make sure that the row is there, lock it, look at the key's other rows, raise the mark.
 *
 * <p>A row is created before it is locked, never the other way round: InnoDB locks the gap where a missing row would be,
 * and two who create neighbouring rows would each wait for the other.
 */
final class StepwiseEntering implements Entering {
    private final Dialect dialect;
    private final String createShared;
    private final String createAlone;
    private final String lock;
    private final String readOthers;
    private final String raise;

    StepwiseEntering(Dialect dialect, Name table) {
        this.dialect = dialect;
        String name = dialect.quoted(table);
        String row = " WHERE guard_key = ? AND slot = ? ";
        if (dialect == Dialect.MYSQL) {
            String values = " INTO " + name + " (guard_key, slot, token, sequence) VALUES (?, ?, 0, 0)";
            // Either leaves the row locked as it is needed next: a stronger lock later could end in a deadlock.
            createShared = "INSERT IGNORE" + values;
            createAlone = "INSERT" + values + " ON DUPLICATE KEY UPDATE token = token";
        } else {
            createShared = "MERGE INTO " + name + " AS g USING (SELECT CAST(? AS " + dialect.keyType()
                    + ") AS k, CAST(? AS integer) AS s) ON g.guard_key = k AND g.slot = s WHEN NOT MATCHED THEN"
                    + " INSERT (guard_key, slot, token, sequence) VALUES (k, s, 0, 0)";
            createAlone = createShared;
        }
        lock = "SELECT slot, token, sequence FROM " + name + row;
        readOthers = "SELECT slot, token, sequence FROM " + name + " WHERE guard_key = ? AND slot BETWEEN ? AND ?";
        raise = "UPDATE " + name + " SET token = ?, sequence = ?" + row
                + "AND (token < ? OR (token = ? AND sequence < ?))";
    }

    @Override
    public Entry enter(Connection connection, Access access) throws SQLException {
        Marks before = lockAndRead(connection, access);
        Entered entered = before.enter(access).orRefuse(access);
        if (!entered.marks().equals(before)) {
            if (access.mode() == Access.Mode.SHARED) {
                create(connection, access.key(), Rows.SHARED, RowLock.EXCLUSIVE);
            }
            raise(connection, access);
        }
        return entered.entry();
    }

    private Marks lockAndRead(Connection connection, Access access) throws SQLException {
        Rows rows = new Rows();
        switch (access.mode()) {
            case EXCLUSIVE -> {
                lock(connection, access.key(), Rows.GATE, RowLock.EXCLUSIVE, rows);
                readOthers(connection, access.key(), Integer.MAX_VALUE, rows);
            }
            case SHARED -> {
                lock(connection, access.key(), Rows.GATE, RowLock.SHARED, rows);
                readOthers(connection, access.key(), Integer.MAX_VALUE, rows);
            }
            case PERMIT -> {
                lock(connection, access.key(), Rows.GATE, RowLock.SHARED, rows);
                lock(connection, access.key(), access.slot(), RowLock.EXCLUSIVE, rows);
                readOthers(connection, access.key(), Rows.SHARED, rows);
            }
        }
        return rows.marks();
    }

    private void lock(Connection connection, String key, int row, RowLock how, Rows rows) throws SQLException {
        create(connection, key, row, how);
        try (PreparedStatement statement = connection.prepareStatement(lock + dialect.suffix(how))) {
            dialect.setKey(statement, 1, key);
            statement.setInt(2, row);
            if (rows.add(statement) == 0) {
                // H2 shows a snapshot even to who locks: it was created since the transaction began.
                throw new SQLTransactionRollbackException(
                        "a row of key '" + key + "' is newer than this transaction; roll back and start again",
                        "40001");
            }
        }
    }

    private void create(Connection connection, String key, int row, RowLock how) throws SQLException {
        String sql = how == RowLock.SHARED ? createShared : createAlone;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            dialect.setKey(statement, 1, key);
            statement.setInt(2, row);
            statement.executeUpdate();
        } catch (SQLIntegrityConstraintViolationException e) {
            // H2 looks first and inserts then: somebody else was faster, and the row is there.
            if (dialect != Dialect.H2) {
                throw e;
            }
        }
    }

    private void readOthers(Connection connection, String key, int last, Rows rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(readOthers)) {
            dialect.setKey(statement, 1, key);
            statement.setInt(2, Rows.SHARED);
            statement.setInt(3, last);
            rows.add(statement);
        }
    }

    private void raise(Connection connection, Access access) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            statement.setLong(1, access.token());
            statement.setLong(2, access.sequence());
            dialect.setKey(statement, 3, access.key());
            statement.setInt(4, Rows.rowOf(access));
            statement.setLong(5, access.token());
            statement.setLong(6, access.token());
            statement.setLong(7, access.sequence());
            statement.executeUpdate();
        }
    }
}
