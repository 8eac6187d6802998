package dev.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Golden;
import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.contract.LocalCluster;
import dev.holdfast.contract.Operator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can be asked about locks. Ann holds a and Bob holds b and waits for a; Cid waits for b, and Dora, too.
 *
 * <p>Behaviour 39: who holds it, from where, for what, since when and for how long yet, and why somebody waits.
 */
@Timeout(300)
@SuppressWarnings("NullAway.Init") // set before the tests
class QueriesTest {
    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;

    private HoldfastClient ann;
    private HoldfastClient bob;
    private HoldfastClient cid;
    private HoldfastClient dora;
    private Grant annsGrant;
    private final List<Thread> waiting = new ArrayList<>();

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

    @BeforeEach
    void contend() throws Exception {
        ann = client("ann");
        bob = client("bob");
        cid = client("cid");
        dora = client("dora");
        annsGrant = ann.lock("a").purpose("reindex").acquire();
        var held = new CompletableFuture<Grant>();
        // One thread holds b and waits for a: that makes the chain.
        wait(() -> {
            held.complete(bob.lock("b").purpose("export").acquire());
            bob.lock("a").acquire();
        });
        held.join();
        operator.awaitWaiters("a", 1);
        wait(() -> cid.lock("b").shared().acquire());
        operator.awaitWaiters("b", 1);
        wait(() -> dora.lock("b").purpose("audit").acquire());
        operator.awaitWaiters("b", 2);
    }

    private interface Contending {
        void run() throws InterruptedException;
    }

    private void wait(Contending contending) {
        Thread thread = new Thread(() -> {
            try {
                contending.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        waiting.add(thread);
    }

    private static HoldfastClient client(String id) {
        return HoldfastClient.builder(cluster.endpoints()).clientId(id).build();
    }

    @AfterEach
    void end() throws InterruptedException {
        waiting.forEach(Thread::interrupt);
        for (Thread thread : waiting) {
            thread.join();
        }
        List.of(ann, bob, cid, dora).forEach(HoldfastClient::close);
        operator.awaitNoLocks("");
    }

    /** In a process of its own, as each command is once. */
    private static Run run(String... arguments) throws Exception {
        return Subprocess.run(cluster.endpoints(), arguments);
    }

    private static Run here(String... arguments) {
        return Run.at(cluster.endpoints(), arguments);
    }

    /** Without what differs from run to run. */
    private static String steady(String text) {
        return text.replaceAll("host \\S+, process [0-9]+", "host HOST, process PID")
                .replaceAll("(token|revision) [0-9]+", "$1 N")
                .replaceAll("(since|left) [0-9.]+m?s", "$1 TIME");
    }

    @Test
    void explain_tells_the_chain() throws Exception {
        Run run = run("explain", "b");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        Golden.check("explain.txt", steady(run.out()));
        assertThat(here("explain", "b", "-o", "name", "--limit", "1").out()).isEqualTo("bob\nann\n");
        assertThat(here("explain", "b", "-o", "json").out())
                .contains("\"blocked_on\": \"b\"", "\"how\": \"WAITS_AHEAD\"", "\"blocker\": \"ann\"");
        long lease = operator.leases("cid").get(0).getId();
        assertThat(steady(here("explain", "--lease", Long.toString(lease)).out()))
                .startsWith("cid waits for b, first in line\n");
        Run nobody = here("explain", "c");
        assertThat(nobody.code()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(nobody.err()).contains("nobody waits for c, and nobody holds it");
        assertThat(here("explain").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void ls_lists_by_prefix_in_three_forms() throws Exception {
        assertThat(run("ls").out().lines().map(line -> line.split(" +", 2)[0])).containsExactly("KEY", "a", "b");
        assertThat(here("ls", "-o", "name").out()).isEqualTo("a\nb\n");
        assertThat(here("ls", "b", "-o", "name").out()).isEqualTo("b\n");
        assertThat(here("ls", "-o", "json", "--limit", "1").out())
                .contains("\"key\": \"a\"", "\"holder_id\": \"ann\"", "\"purpose\": \"reindex\"", "\"waiter_count\": 1")
                .doesNotContain("\"key\": \"b\"");
        assertThat(here("ls", "nothing").out()).startsWith("KEY").hasLineCount(1);
    }

    @Test
    void show_tells_holder_place_and_waiters_in_order() throws Exception {
        Run run = run("show", "b");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(2)).matches("HOLDER +HOST +PROCESS +MODE +TOKEN +SINCE +AGE +LEASE LEFT +PURPOSE +NOTE");
        assertThat(lines.get(3))
                .startsWith("bob ")
                .contains(" " + ProcessHandle.current().pid() + " ", " exclusive ", " export");
        assertThat(lines.get(6)).matches("1 +cid .* shared .*");
        assertThat(lines.get(7)).matches("2 +dora .* exclusive .* audit");
        Run free = here("show", "c");
        assertThat(free.code()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(free.out()).isEmpty();
    }

    @Test
    void plan_tells_what_would_happen_and_leaves_nothing() throws Exception {
        Run waits = run("plan", "a", "free");
        assertThat(waits.code()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(waits.out()).startsWith("would wait for a, 1 ahead, behind ann (token " + annsGrant.token() + ")");
        assertThat(here("plan", "free")).isEqualTo(new Run(ExitCode.OK, "would be granted at once\n", ""));
        assertThat(here("plan", "a", "-n", "3").code()).isEqualTo(ExitCode.USAGE);
        assertThat(operator.leases("holdfast-plan")).isEmpty();
    }

    @Test
    void history_and_watch_tell_the_same_events() throws Exception {
        long from = annsGrant.token();
        Run watched = here("watch", "--prefix", "", "--from", Long.toString(from), "--all", "--limit", "2");
        assertThat(watched.code()).as(watched.err()).isEqualTo(ExitCode.OK);
        assertThat(watched.out()).hasLineCount(2).contains("a  granted exclusive  ann  token " + from + "  (reindex)");
        assertThat(here("watch", "a", "--from", Long.toString(from), "--limit", "1", "-o", "json")
                        .out())
                .hasLineCount(1)
                .contains("\"what\":\"GRANTED\"", "\"fencing_token\":\"" + from + "\"", "\"revision\":" + from)
                .contains("\"cursor\":\"0-" + from + "\"");
        Run resumed = here("watch", "--prefix", "", "--from", "0-" + (from - 1), "--all", "--limit", "2");
        assertThat(resumed.out()).as("behind a cursor").isEqualTo(watched.out()).contains("cursor 0-" + from);
        Run wrong = here("watch", "a", "--from", "yesterday");
        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err().lines()).singleElement().asString().contains("neither a cursor");

        Run history = run("history", "a");
        assertThat(history.out()).contains("queued", "granted exclusive").contains("reindex");
        assertThat(here("history", "a", "--limit", "1", "-o", "json").out()).contains("\"what\": \"QUEUED\"");
    }

    @Test
    void watch_goes_on_until_it_is_stopped() throws Exception {
        try (Subprocess watch = Subprocess.start(cluster.endpoints(), "watch", "news")) {
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                ann.lock("news").acquire().close();
                return watch.out().contains("granted");
            });
            watch.signal("INT");

            assertThat(watch.await().code()).isEqualTo(ExitCode.SIGNAL + 2);
        }
    }

    @Test
    void leases_tell_what_they_hold_and_await() throws Exception {
        Run run = run("leases", "--client", "bob");

        assertThat(run.out().lines().toList().get(1)).matches(" *[0-9]+ +bob +15s +1[0-9]s +b +a");
        assertThat(here("leases", "-o", "json").out()).contains("\"client_id\": \"ann\"", "\"held\": [");
    }
}
