package dev.holdfast.guard.jdbc;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Tests that share a database, which is started before the first of them and stopped after the last. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseTest<D extends Database> {
    private D database;

    /** Starts it. */
    abstract D started() throws Exception;

    final D database() {
        return database;
    }

    @BeforeAll
    void start() throws Exception {
        database = started();
    }

    @AfterAll
    void stop() throws Exception {
        database.close();
    }
}
