package dev.holdfast.guard.kafka;

import dev.holdfast.guard.jdbc.Dialect;
import dev.holdfast.guard.jdbc.JdbcGuard;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.h2.tools.Server;

/** The database that consumers write to, served to their processes. */
final class Store implements AutoCloseable {
    static final JdbcGuard GUARD = new JdbcGuard(Dialect.H2);

    private final Server server;
    private final String url;

    Store(Path directory) throws SQLException {
        server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toString())
                .start();
        url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./store;LOCK_TIMEOUT=30000";
        execute(
                GUARD.ddl(),
                "CREATE TABLE positions (topic varchar(100), part integer, next_offset bigint NOT NULL,"
                        + " PRIMARY KEY (topic, part))",
                "CREATE TABLE refused (topic varchar(100), part integer, at bigint, reason varchar(2000),"
                        + " PRIMARY KEY (topic, part, at))",
                "CREATE TABLE applied (part integer, at bigint, k varchar(100), n bigint)",
                "CREATE TABLE latest (k varchar(100) PRIMARY KEY, n bigint NOT NULL)");
    }

    String url() {
        return url;
    }

    /** Begins at the start of a topic. */
    void follow(String topic, int partitions) throws SQLException {
        for (int part = 0; part < partitions; part++) {
            execute("INSERT INTO positions VALUES ('" + topic + "', " + part + ", 0)");
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static Connection connect(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }

    /** What a query gives, a text for each row. */
    List<String> rows(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    /** What a record does: it is written down, and its number is the key's latest. */
    static void apply(Connection connection, ConsumerRecord<String, String> record) throws SQLException {
        long number = Long.parseLong(record.value());
        try (PreparedStatement applied = connection.prepareStatement("INSERT INTO applied VALUES (?, ?, ?, ?)");
                PreparedStatement latest = connection.prepareStatement("MERGE INTO latest KEY (k) VALUES (?, ?)")) {
            applied.setInt(1, record.partition());
            applied.setLong(2, record.offset());
            applied.setString(3, record.key());
            applied.setLong(4, number);
            applied.executeUpdate();
            latest.setString(1, record.key());
            latest.setLong(2, number);
            latest.executeUpdate();
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
