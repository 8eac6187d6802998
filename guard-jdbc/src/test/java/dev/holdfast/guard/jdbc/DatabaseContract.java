package dev.holdfast.guard.jdbc;

import org.junit.jupiter.api.Nested;

/** What guards must do in every database. */
abstract class DatabaseContract<D extends Database> extends DatabaseTest<D> {
    @Nested
    class Guard extends GuardContract {
        @Override
        protected Database database() {
            return DatabaseContract.this.database();
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        @Override
        protected Database database() {
            return DatabaseContract.this.database();
        }
    }

    @Nested
    class Table extends TableContract {
        @Override
        protected Database database() {
            return DatabaseContract.this.database();
        }
    }
}
