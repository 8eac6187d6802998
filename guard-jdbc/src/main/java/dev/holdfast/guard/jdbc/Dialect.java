package dev.holdfast.guard.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;

/** A database that guards support. */
public enum Dialect {
    POSTGRESQL('"', "text COLLATE \"C\"", "FOR SHARE"),
    /**
     * MySQL and MariaDB, with InnoDB tables. Keys are stored as bytes, because text comparisons ignore case and
     * trailing blanks.
     */
    MYSQL('`', "varbinary(1024)", "LOCK IN SHARE MODE"),
    /** For tests. It has no shared row locks: readers wait for each other. */
    H2('"', "varchar(1024)", "FOR UPDATE");

    private final char quote;
    private final String keyType;
    private final String shareLock;

    Dialect(char quote, String keyType, String shareLock) {
        this.quote = quote;
        this.keyType = keyType;
        this.shareLock = shareLock;
    }

    /**
     * Returns the dialect of a connection's database.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mysql", "mariadb" -> MYSQL;
            case "h2" -> H2;
            default ->
                throw new IllegalArgumentException(
                        "connection: must be to PostgreSQL, MySQL, MariaDB or H2, is to " + product);
        };
    }

    String quoted(Name name) {
        return name.quotedWith(quote);
    }

    String keyType() {
        return keyType;
    }

    /** What a locking read ends with. */
    String suffix(RowLock lock) {
        return lock == RowLock.SHARED ? shareLock : "FOR UPDATE";
    }

    void setKey(PreparedStatement statement, int parameter, String key) throws SQLException {
        if (this == MYSQL) {
            statement.setBytes(parameter, key.getBytes(StandardCharsets.UTF_8));
        } else {
            statement.setString(parameter, key);
        }
    }

    Entering entering(Name table) {
        return this == POSTGRESQL ? new PipelinedEntering(table) : new StepwiseEntering(this, table);
    }
}
