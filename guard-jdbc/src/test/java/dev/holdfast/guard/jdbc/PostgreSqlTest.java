package dev.holdfast.guard.jdbc;

import java.io.IOException;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgreSqlTest extends ServerContract<PostgreSqlServer> {
    @Override
    PostgreSqlServer started() throws IOException, InterruptedException {
        return PostgreSqlServer.started();
    }

    @Override
    String impatientUrl() {
        return database().url() + "&options=-c%20idle_in_transaction_session_timeout=2000";
    }
}
