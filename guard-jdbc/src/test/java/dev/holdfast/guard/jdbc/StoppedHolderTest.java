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
@Timeout(240)
class StoppedHolderTest {
    @TempDir
    Path root;

    @Test
    void postgresql_takes_no_stale_write_behind_a_guard_and_some_without() throws Exception {
        try (PostgreSqlServer database = PostgreSqlServer.started();
                LocalCluster cluster = LocalCluster.start(root.resolve("cluster"), 1)) {
            Outcome guarded = run(database, cluster, PostgreSqlTally.class, 5, 2_000);
            Outcome unguarded = run(database, cluster, PostgreSqlTally.Unguarded.class, 2, 300);
            System.out.println("fencing postgresql, guarded: " + guarded);
            System.out.println("fencing postgresql, unguarded: " + unguarded);
            assertThat(guarded.updates()).isGreaterThanOrEqualTo(2_000);
            assertThat(guarded.stale()).as("stale writes that were accepted").isZero();
            assertThat(guarded.lost()).as("lost updates").isZero();
            assertThat(guarded.refused())
                    .as("refused accesses, one for each pause")
                    .isGreaterThanOrEqualTo(5);
            assertThat(unguarded.lost())
                    .as("lost updates without a guard: if there are none, nothing was tried above")
                    .isPositive();
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
