package dev.holdfast.guard.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** Which errors mean: roll back and begin again. */
final class Retry {
    /** Serialization failure; PostgreSQL's deadlock. */
    private static final Set<String> STATES = Set.of("40001", "40P01");

    private Retry() {}

    static boolean isAskedFor(SQLException error) {
        return STATES.contains(String.valueOf(error.getSQLState()));
    }
}
