package dev.holdfast.guard.jdbc;

import org.junit.jupiter.api.Nested;

/** And in every database with a server: there one can die, and writers of any kind come. */
abstract class ServerContract<D extends ServerProcess> extends DatabaseContract<D> {
    /** The server's address, with the wish that it ends transactions which do nothing for two seconds. */
    abstract String impatientUrl();

    @Nested
    class Crash extends CrashContract {
        @Override
        protected ServerProcess server() {
            return ServerContract.this.database();
        }

        @Override
        protected String impatientUrl() {
            return ServerContract.this.impatientUrl();
        }
    }

    @Nested
    class Trigger extends TriggerContract {
        @Override
        protected Database database() {
            return ServerContract.this.database();
        }
    }
}
