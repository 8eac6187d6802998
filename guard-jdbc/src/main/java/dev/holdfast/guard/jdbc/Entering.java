package dev.holdfast.guard.jdbc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.GuardException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The way into a guard table.
 *
 * <p>A key has a <em>gate</em>, a row for the mark of exclusive accesses, and as they come up one row for the mark of
 * shared accesses and one for each permit. Until the transaction ends
 *
 * <pre>
 * access      locks the gate      locks its own row
 * exclusive   alone               (the gate)
 * shared      with others         alone, if it raises the mark
 * permit i    with others         alone
 * </pre>
 *
 * <p>The gate comes first and in a statement of its own. A database may show a statement what was there when it began;
 * what somebody changed whom it waited for at the gate, only the next statement sees.
 */
interface Entering {
    /**
     * Enters, or waits for who is inside and excludes this access.
     *
     * @throws GuardException if it may not enter
     */
    Entry enter(Connection connection, Access access) throws SQLException;
}
