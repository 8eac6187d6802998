package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.contract.LocalCluster;
import dev.holdfast.contract.pause.Outcome;
import dev.holdfast.contract.pause.Tally;
import dev.holdfast.contract.pause.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holders of a real lock that are stopped in the middle of an update of a real database. */
@Timeout(300)
class StoppedHolderTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.long");
    private static final int PAUSES = LONG ? 10 : 2;
    private static final long UPDATES = LONG ? 20_000 : 2_000;

    @TempDir
    Path root;

    @Test
    void postgresql_takes_no_stale_write_behind_a_guard_and_some_without() throws Exception {
        try (PostgreSqlServer database = PostgreSqlServer.started();
                LocalCluster cluster = LocalCluster.start(root.resolve("cluster"), 1)) {
            Outcome guarded = run(database, cluster, PostgreSqlTally.class, PAUSES, UPDATES);
            Outcome unguarded = run(database, cluster, PostgreSqlTally.Unguarded.class, PAUSES / 2, 0);
            System.out.println("fencing postgresql, guarded: " + guarded);
            System.out.println("fencing postgresql, unguarded: " + unguarded);
            guarded.requireNoHarm();
            assertThat(guarded.updates()).isGreaterThanOrEqualTo(UPDATES);
            unguarded.requireHarm();
        }
    }

    private static Outcome run(
            Database database, LocalCluster cluster, Class<? extends Tally> tally, int pauses, long updates)
            throws Exception {
        database.empty(new JdbcGuard(Dialect.POSTGRESQL));
        database.execute(
                "DROP TABLE IF EXISTS tally", "CREATE TABLE tally (n bigint NOT NULL)", "INSERT INTO tally VALUES (0)");
        return new Trial(cluster.endpoints(), PostgreSqlTally.KEY, tally, database.url()).run(pauses, updates);
    }
}
