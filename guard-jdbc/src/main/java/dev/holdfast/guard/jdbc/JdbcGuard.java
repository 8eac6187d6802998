package dev.holdfast.guard.jdbc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A guard whose marks are in a table of the database it protects.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * guard.enter(connection, Access.exclusive("orders/42", grant.token()));
 * ... read and write ...
 * connection.commit();
 * }</pre>
 *
 * <p>Enter first in the transaction: what was read before is not protected. From then until the transaction ends,
 * accesses that this one excludes wait. So whoever enters sees everything that older holders did, and nothing that they
 * do later gets in. If the transaction is rolled back, so is the mark.
 *
 * <p>It is correct at the isolation levels READ COMMITTED, REPEATABLE READ and SERIALIZABLE. An error that asks for a
 * retry (SQL state 40001 or 40P01) is passed on as the driver's own {@link SQLException}: roll back, start the
 * transaction again and enter again. After a {@link dev.holdfast.guard.GuardException} roll back and stop.
 *
 * <p>A holder that stalls inside a transaction keeps its successor waiting. Let the database end such transactions, on
 * PostgreSQL with {@code idle_in_transaction_session_timeout}.
 *
 * <p>Shared accesses and permits of one key exclude each other by their tokens but do not wait for each other: a key
 * has one kind while it is in use.
 */
public final class JdbcGuard {
    public static final String DEFAULT_TABLE = "holdfast_guard";

    private final Dialect dialect;
    private final Name table;
    private final Entering entering;

    public JdbcGuard(Dialect dialect) {
        this(dialect, DEFAULT_TABLE);
    }

    /** @param table its name, or schema and name with a dot between; letters, digits and underscores, case-sensitive */
    public JdbcGuard(Dialect dialect, String table) {
        this.dialect = dialect;
        this.table = Name.table("table", table);
        this.entering = dialect.entering(this.table);
    }

    /**
     * Enters, or waits for older accesses to end their transactions.
     *
     * @param connection with a transaction in which nothing was read yet; it is neither committed nor closed
     * @throws dev.holdfast.guard.StaleTokenException if somebody has entered who got the lock later
     * @throws dev.holdfast.guard.OutOfOrderException if it is a numbered write, and a later one has entered
     * @throws IllegalStateException if the connection is in auto-commit mode
     */
    public Entry enter(Connection connection, Access access) throws SQLException {
        Transactions.require(connection);
        try {
            return entering.enter(connection, access);
        } catch (SQLException e) {
            throw MissingTable.explained(e, table, ddl());
        }
    }

    /** Returns the statement that creates the table if it does not exist. */
    public String ddl() {
        String engine = dialect == Dialect.MYSQL ? " ENGINE = InnoDB" : "";
        return """
                CREATE TABLE IF NOT EXISTS %s (
                    guard_key %s NOT NULL,
                    slot integer NOT NULL,
                    token bigint NOT NULL,
                    sequence bigint NOT NULL,
                    PRIMARY KEY (guard_key, slot)
                )%s""".formatted(dialect.quoted(table), dialect.keyType(), engine);
    }
}
