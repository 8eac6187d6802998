package dev.holdfast.guard.jdbc;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class MariaDbTest {
    private static MariaDbServer database;

    @BeforeAll
    static void start() throws Exception {
        database = MariaDbServer.started();
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    @Nested
    class Guard extends GuardContract {
        @Override
        protected Database database() {
            return database;
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        @Override
        protected Database database() {
            return database;
        }
    }

    @Nested
    class Table extends TableContract {
        @Override
        protected Database database() {
            return database;
        }
    }

    @Nested
    class Crash extends CrashContract {
        @Override
        protected ServerProcess server() {
            return database;
        }

        @Override
        protected String impatientUrl() {
            return database.url() + "&sessionVariables=idle_transaction_timeout=2";
        }
    }
}
