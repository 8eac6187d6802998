package dev.holdfast.guard.jdbc;

import java.io.IOException;
import java.util.List;

/** A MariaDB server. */
final class MariaDbServer extends ServerProcess {
    private final String mariadbd;

    private MariaDbServer() throws IOException {
        super("mariadb");
        mariadbd = program("mariadb-server-core", "/usr/sbin", "/usr/sbin/mariadbd");
    }

    static MariaDbServer started() throws IOException, InterruptedException {
        MariaDbServer server = new MariaDbServer();
        String data = "--datadir=" + server.root().resolve("data");
        server.run(List.of(
                program("mariadb-server-core", "/usr/bin", "/usr/bin/mariadb-install-db"),
                "--no-defaults",
                user(),
                data,
                "--auth-root-authentication-method=normal",
                "--skip-test-db"));
        server.start();
        return server;
    }

    @Override
    List<String> command() {
        return List.of(
                mariadbd,
                "--no-defaults",
                user(),
                "--datadir=" + root().resolve("data"),
                "--port=" + port(),
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--socket=" + root().resolve("socket"),
                "--pid-file=" + root().resolve("pid"));
    }

    private static String user() {
        return "--user=" + System.getProperty("user.name");
    }

    @Override
    String endSignal() {
        return "TERM";
    }

    @Override
    public Dialect dialect() {
        return Dialect.MYSQL;
    }

    @Override
    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/test?user=root&createDatabaseIfNotExist=true";
    }

    @Override
    public String countOfWaiting() {
        return "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    }
}
