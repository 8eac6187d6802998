package dev.holdfast.guard.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL server, which does not run as root: as the user of its package then. */
final class PostgreSqlServer extends ServerProcess {
    private static final String USER = "postgres";

    private final String initdb;
    private final String postgres;

    private PostgreSqlServer() throws IOException {
        super("postgresql");
        initdb = program("postgresql", "/usr/lib/postgresql", "/usr/lib/postgresql/*/bin/initdb");
        postgres = Path.of(initdb).resolveSibling("postgres").toString();
    }

    static PostgreSqlServer started() throws IOException, InterruptedException {
        PostgreSqlServer server = new PostgreSqlServer();
        if (isRoot()) {
            Files.setOwner(
                    server.root(),
                    server.root()
                            .getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName(USER));
        }
        server.run(server.asUser(
                server.initdb, "-D", "data", "-A", "trust", "-U", USER, "-E", "UTF8", "--no-locale", "--no-sync"));
        server.start();
        return server;
    }

    @Override
    List<String> command() {
        return asUser(
                postgres,
                "-D",
                "data",
                "-p",
                Integer.toString(port()),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=");
    }

    private List<String> asUser(String... command) {
        List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups", "--"));
        }
        words.addAll(List.of(command));
        return words;
    }

    /** At a TERM it waits for its clients to go. */
    @Override
    String endSignal() {
        return "INT";
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres?user=" + USER;
    }

    @Override
    public String countOfWaiting() {
        return "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    }
}
