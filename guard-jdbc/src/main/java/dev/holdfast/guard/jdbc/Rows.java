package dev.holdfast.guard.jdbc;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Mark;
import dev.holdfast.guard.Marks;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rows of one key in a guard table: which is which, and what they say together. */
final class Rows {
    /** The lowest, for rows are locked in this order. */
    static final int GATE = -2;

    static final int SHARED = -1;

    private Mark exclusive = Mark.NONE;
    private long shared;
    private final SortedMap<Integer, Mark> permits = new TreeMap<>();

    /** The row that keeps the mark of such an access. */
    static int rowOf(Access access) {
        return switch (access.mode()) {
            case EXCLUSIVE -> GATE;
            case SHARED -> SHARED;
            case PERMIT -> access.slot();
        };
    }

    /**
     * Takes up what a query gave.
     *
     * @param rows row, token and sequence, in this order
     * @return how many
     */
    int add(ResultSet rows) throws SQLException {
        int count = 0;
        for (; rows.next(); count++) {
            int row = rows.getInt(1);
            Mark mark = new Mark(rows.getLong(2), rows.getLong(3));
            if (row == GATE) {
                exclusive = mark;
            } else if (row == SHARED) {
                shared = mark.token();
            } else {
                permits.put(row, mark);
            }
        }
        return count;
    }

    /** Takes up what a query gives, and says how many rows that is. */
    int add(PreparedStatement query) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            return add(rows);
        }
    }

    Marks marks() {
        return new Marks(exclusive, shared, permits);
    }
}
