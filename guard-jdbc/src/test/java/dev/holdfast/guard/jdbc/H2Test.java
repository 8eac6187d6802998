package dev.holdfast.guard.jdbc;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class H2Test {
    private static H2Database database;

    @BeforeAll
    static void start() throws Exception {
        database = new H2Database();
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
}
