package dev.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.contract.LocalCluster;
import dev.holdfast.contract.Operator;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Locks that outlive the command that took them, and elections. */
@Timeout(300)
@SuppressWarnings("NullAway.Init") // set before all tests
class GrantsTest {
    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.start(root, 1);
        operator = new Operator(cluster);
    }

    @AfterAll
    static void stop() {
        operator.close();
        cluster.close();
    }

    private static Run run(String... arguments) throws Exception {
        return Subprocess.run(cluster.endpoints(), arguments);
    }

    private static Run here(String... arguments) {
        return Run.at(cluster.endpoints(), arguments);
    }

    @Test
    void a_grant_outlives_acquire_is_renewed_and_released_once() throws Exception {
        Run acquired = run("acquire", "manual", "--ttl", "5m", "--purpose", "by hand");
        assertThat(acquired.code()).as(acquired.err()).isEqualTo(ExitCode.OK);
        assertThat(acquired.out()).startsWith("hf2.").hasLineCount(1);
        assertThat(acquired.err()).isEmpty();
        String grant = acquired.out().strip();
        long token = operator.lock("manual").getHolders(0).getFencingToken();

        Run renewed = run("renew", grant);
        assertThat(renewed.code()).as(renewed.err()).isEqualTo(ExitCode.OK);
        assertThat(renewed.out()).startsWith("manual is held under token " + token + " for another 4m");

        try (Subprocess releasing = Subprocess.start(cluster.endpoints(), "release", "-")) {
            releasing.type(grant + "\n");
            assertThat(releasing.await()).isEqualTo(new Run(ExitCode.OK, "released manual, token " + token + "\n", ""));
        }
        assertThat(operator.locks("manual")).isEmpty();

        Run again = here("release", grant);
        assertThat(again.code()).isEqualTo(ExitCode.LOST);
        assertThat(again.err()).contains("has ended");
        assertThat(here("renew", grant).code()).isEqualTo(ExitCode.LOST);
    }

    @Test
    void a_grant_that_nobody_renews_ends_with_its_ttl() {
        assertThat(here("acquire", "forgotten", "--ttl", "1s").code()).isEqualTo(ExitCode.OK);

        operator.awaitNoLocks("forgotten");
    }

    @Test
    void acquire_tells_the_token_in_json_and_75_if_it_is_taken() {
        Run acquired = here("acquire", "json", "-o", "json");
        long token = operator.lock("json").getHolders(0).getFencingToken();

        assertThat(acquired.out())
                .contains("\"key\": \"json\"", "\"fencing_token\": \"" + token + "\"", "\"ttl_ms\": 60000");
        Run refused = here("acquire", "json", "--no-wait");
        assertThat(refused.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
        assertThat(refused.out()).isEmpty();
    }

    @Test
    void what_is_no_grant_is_a_usage_error() {
        Run run = here("release", "hf2.nonsense");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo(
                        "holdfast release: that is not a grant; give the whole text that 'holdfast acquire' printed\n");
    }

    @Test
    void one_candidate_leads_at_a_time_and_the_next_follows() throws Exception {
        try (Subprocess first = Subprocess.start(cluster.endpoints(), "elect", "scheduler", "node-1")) {
            operator.awaitHolders("election/scheduler", 1);
            long epoch = operator.lock("election/scheduler").getHolders(0).getFencingToken();
            try (Subprocess second = Subprocess.start(
                    cluster.endpoints(),
                    "elect",
                    "scheduler",
                    "node-2",
                    "--",
                    "sh",
                    "-c",
                    "echo $HOLDFAST_FENCING_TOKEN; exit 5")) {
                operator.awaitWaiters("election/scheduler", 1);
                assertThat(second.out()).isEmpty();
                first.signal("INT");

                Run resigned = first.await();
                assertThat(resigned.code()).isEqualTo(ExitCode.SIGNAL + 2);
                assertThat(resigned.out()).isEqualTo("node-1 leads scheduler, epoch " + epoch + "\n");
                Run led = second.await();
                assertThat(led.code()).isEqualTo(5);
                assertThat(Long.parseLong(led.out().strip())).isGreaterThan(epoch);
            }
        }
    }

    @Test
    void a_leader_that_is_deposed_exits_with_76() throws Exception {
        try (Subprocess leader = Subprocess.start(cluster.endpoints(), "elect", "deposed", "node-1")) {
            operator.awaitHolders("election/deposed", 1);
            operator.takeAway("election/deposed");

            Run run = leader.await();
            assertThat(run.code()).isEqualTo(ExitCode.LOST);
            assertThat(run.err()).contains("election/deposed was lost: REVOKED");
        }
    }
}
