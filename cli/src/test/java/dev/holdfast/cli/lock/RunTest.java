package dev.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.contract.LocalCluster;
import dev.holdfast.contract.Operator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@SuppressWarnings("NullAway.Init") // set before all tests
class RunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Each is a JVM that starts; too many at once would only wait for processors. */
    private static final int AT_ONCE = Boolean.getBoolean("holdfast.long") ? 50 : 12;

    private static final long LAST_SECONDS = 240;

    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        cluster = LocalCluster.start(root, 1);
        operator = new Operator(cluster);
    }

    @AfterAll
    static void stop() {
        operator.close();
        cluster.close();
    }

    private static Run run(String... arguments) throws IOException, InterruptedException {
        return Subprocess.run(cluster.endpoints(), arguments);
    }

    private static Subprocess starting(String... arguments) throws IOException {
        return Subprocess.start(cluster.endpoints(), arguments);
    }

    @Test
    void the_command_runs_under_the_lock_and_knows_it() throws Exception {
        Run run = run(
                "run",
                "orders/42",
                "--",
                "sh",
                "-c",
                "echo $HOLDFAST_KEY $HOLDFAST_FENCING_TOKEN $HOLDFAST_GRANT; echo oops >&2; exit 7");

        assertThat(run.code()).as(run.err()).isEqualTo(7);
        assertThat(run.out()).matches("orders/42 ([0-9]+) \\1\n");
        assertThat(run.err()).isEqualTo("oops\n");
        assertThat(operator.locks("orders/42")).isEmpty();
    }

    @Test
    void a_holder_can_be_recognized_by_purpose_host_and_process() throws Exception {
        try (Subprocess holder = starting("run", "who", "--purpose", "reindex", "--", "sleep", "100")) {
            operator.awaitHolders("who", 1);

            assertThat(operator.lock("who").getHolders(0).getPurpose()).isEqualTo("reindex");
            assertThat(operator.lock("who").getHolders(0).getMetadata().toStringUtf8())
                    .startsWith("host=")
                    .contains(" process=");
            holder.signal("TERM");
            assertThat(holder.await().code()).isEqualTo(ExitCode.SIGNAL + 15);
        }
    }

    @Test
    void what_the_command_is_called_is_told_but_not_its_arguments() throws Exception {
        try (Subprocess holder = starting("run", "unnamed", "--", "sleep", "100")) {
            operator.awaitHolders("unnamed", 1);

            assertThat(operator.lock("unnamed").getHolders(0).getPurpose()).isEqualTo("sleep");
            holder.signal("TERM");
            assertThat(holder.await().code()).isEqualTo(ExitCode.SIGNAL + 15);
        }
    }

    @Test
    void standard_input_goes_to_the_command() throws Exception {
        try (Subprocess reading = starting("run", "input", "--", "sh", "-c", "read line; echo got $line")) {
            reading.type("something\n");

            assertThat(reading.await().out()).isEqualTo("got something\n");
        }
    }

    @Test
    void a_lock_that_is_not_free_in_time_is_75_and_the_command_does_not_run() throws Exception {
        try (Subprocess holder = starting("run", "taken", "--", "sleep", "100")) {
            operator.awaitHolders("taken", 1);

            Run never = run("run", "taken", "--no-wait", "--", "echo", "ran");
            Run shortly = run("run", "taken", "-w", "1", "--", "echo", "ran");

            assertThat(never.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
            assertThat(never.err()).contains("holdfast run: ", "not free in time", "holdfast show");
            assertThat(shortly.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
            assertThat(never.out() + shortly.out()).isEmpty();
            holder.signal("TERM");
            assertThat(holder.await().code()).isEqualTo(ExitCode.SIGNAL + 15);
        }
    }

    @Test
    void shared_locks_are_held_together_and_permits_up_to_their_number() throws Exception {
        try (Subprocess first = starting("run", "shared", "-s", "--", "sleep", "100");
                Subprocess permit = starting("run", "gpu", "-n", "2", "--", "sleep", "100")) {
            operator.awaitHolders("shared", 1);
            operator.awaitHolders("gpu", 1);

            assertThat(run("run", "shared", "-s", "--no-wait", "--", "true").code())
                    .isEqualTo(ExitCode.OK);
            assertThat(run("run", "shared", "--no-wait", "--", "true").code()).isEqualTo(ExitCode.NOT_ACQUIRED);
            assertThat(run("run", "gpu", "-n", "2", "--no-wait", "--", "true").code())
                    .isEqualTo(ExitCode.OK);
            Run other = run("run", "gpu", "-n", "3", "--no-wait", "--", "true");
            assertThat(other.code()).isEqualTo(ExitCode.USAGE);
            assertThat(other.err()).contains("KIND_MISMATCH");
            assertThat(first.isAlive() && permit.isAlive()).isTrue();
        }
        operator.takeAway("shared");
        operator.takeAway("gpu");
    }

    @Test
    void ctrl_c_ends_the_command_and_gives_the_lock_back_before_exit() throws Exception {
        Path said = root.resolve("said");
        try (Subprocess holder = starting(
                "run",
                "ctrl-c",
                "--",
                "sh",
                "-c",
                "trap 'echo int >" + said + "; exit 3' INT; echo on; while :; do sleep 0.1; done")) {
            await().atMost(PATIENCE).until(() -> holder.out().contains("on"));
            holder.signal("INT");

            assertThat(holder.await().code()).isEqualTo(3);
            assertThat(operator.locks("ctrl-c")).isEmpty();
            assertThat(said).hasContent("int");
        }
    }

    @Test
    void at_a_terminal_the_command_can_read_and_ctrl_c_ends_it() throws Exception {
        try (Subprocess holder = Subprocess.atTerminal(
                cluster.endpoints(),
                root,
                "run",
                "terminal",
                "--",
                "sh",
                "-c",
                "trap 'echo interrupted; exit 3' INT; read line </dev/tty; echo got $line; while :; do sleep 0.1; done")) {
            operator.awaitHolders("terminal", 1);
            holder.type("something\n");
            await().atMost(PATIENCE).until(() -> holder.out().contains("got something"));
            holder.type("\u0003");

            Run run = holder.await();
            assertThat(run.code()).isEqualTo(3);
            assertThat(run.out()).contains("interrupted");
            assertThat(operator.locks("terminal")).isEmpty();
        }
    }

    @Test
    void a_signal_reaches_all_that_the_command_started() throws Exception {
        try (Subprocess holder =
                starting("run", "group", "--", "sh", "-c", "sleep 1000 & echo $!; sleep 1000; echo late")) {
            await().atMost(PATIENCE).until(() -> holder.out().endsWith("\n"));
            long background = Long.parseLong(holder.out().strip());
            holder.signal("HUP");

            assertThat(holder.await().code()).isEqualTo(ExitCode.SIGNAL + 1);
            assertThat(operator.locks("group")).isEmpty();
            await().atMost(PATIENCE).until(() -> isGone(background));
        }
    }

    @Test
    void a_signal_while_waiting_leaves_nothing_in_the_queue() throws Exception {
        try (Subprocess holder = starting("run", "queue", "--", "sleep", "100")) {
            operator.awaitHolders("queue", 1);
            try (Subprocess waiter = starting("run", "queue", "--", "echo", "ran")) {
                operator.awaitWaiters("queue", 1);
                waiter.signal("TERM");

                Run run = waiter.await();
                assertThat(run.code()).isEqualTo(ExitCode.SIGNAL + 15);
                assertThat(run.out()).isEmpty();
                assertThat(run.err()).contains("stopped by SIGTERM; nothing is held");
                assertThat(operator.waiters("queue")).isZero();
            }
            holder.signal("TERM");
            assertThat(holder.await().code()).isEqualTo(ExitCode.SIGNAL + 15);
        }
    }

    @Test
    void killed_itself_it_leaves_the_lock_to_its_lease_and_takes_the_command_along() throws Exception {
        try (Subprocess holder =
                starting("run", "killed", "--ttl", "3s", "--", "sh", "-c", "echo $$; exec sleep 1000")) {
            await().atMost(PATIENCE).until(() -> holder.out().endsWith("\n"));
            long child = Long.parseLong(holder.out().strip());
            holder.signal("KILL");
            assertThat(holder.await().code()).isEqualTo(ExitCode.SIGNAL + 9);

            await().atMost(PATIENCE).until(() -> isGone(child));
            operator.awaitNoLocks("killed");
            assertThat(Run.at(cluster.endpoints(), "history", "killed").out())
                    .contains("ended: expired")
                    .doesNotContain("released");
        }
    }

    @Test
    void killed_itself_it_takes_along_all_that_the_command_started() throws Exception {
        try (Subprocess holder = starting(
                "run",
                "killed-all",
                "--ttl",
                "3s",
                "--grace",
                "500ms",
                "--",
                "sh",
                "-c",
                "sleep 1000 & gives=$!; trap '' TERM; sleep 1000 & echo $$ $gives $!; wait")) {
            await().atMost(PATIENCE).until(() -> holder.out().endsWith("\n"));
            long[] all = numbers(holder.out());
            holder.signal("KILL");
            assertThat(holder.await().code()).isEqualTo(ExitCode.SIGNAL + 9);

            for (long each : all) {
                await().atMost(PATIENCE).until(() -> isGone(each));
            }
        }
    }

    @Test
    void killed_itself_it_asks_the_command_to_end_before_it_makes_it() throws Exception {
        Path said = root.resolve("asked");
        try (Subprocess holder = starting(
                "run",
                "killed-asks",
                "--ttl",
                "3s",
                "--grace",
                "60s",
                "--",
                "sh",
                "-c",
                "(trap 'echo term >>" + said + "; exit' TERM; echo on; while :; do sleep 0.1; done) & wait")) {
            await().atMost(PATIENCE).until(() -> holder.out().contains("on"));
            holder.signal("KILL");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(said).exists().hasContent("term"));
        }
    }

    @Test
    void killed_itself_at_a_terminal_it_takes_along_all_that_the_command_started() throws Exception {
        try (Subprocess holder = Subprocess.atTerminal(
                cluster.endpoints(),
                root,
                "run",
                "killed-terminal",
                "--ttl",
                "3s",
                "--grace",
                "500ms",
                "--",
                "sh",
                "-c",
                // The terminal hangs up as well, since its first process ends.
                "trap '' HUP; sleep 1000 & echo $PPID $$ $!; wait")) {
            await().atMost(PATIENCE).until(() -> holder.out().endsWith("\n"));
            long[] all = numbers(holder.out());
            ProcessHandle.of(all[0]).orElseThrow().destroyForcibly();

            for (long each : all) {
                await().atMost(PATIENCE).until(() -> isGone(each));
            }
        }
    }

    @Test
    void what_the_command_leaves_running_goes_on_when_it_has_ended() throws Exception {
        Run run = run("run", "left", "--", "sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!");
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        // Whoever watched the first has had the time that a second takes.
        assertThat(run("run", "left", "--", "true").code()).isEqualTo(ExitCode.OK);

        ProcessHandle left = ProcessHandle.of(Long.parseLong(run.out().strip())).orElseThrow();
        assertThat(left.isAlive()).isTrue();
        left.destroyForcibly();
    }

    @Test
    void ctrl_c_before_the_command_has_its_group_is_not_lost() throws Exception {
        Path tools = Files.createDirectory(root.resolve("tools"));
        Path go = tools.resolve("go");
        Path setsid = Files.writeString(
                tools.resolve("setsid"),
                "#!/bin/sh\necho slow\nwhile [ ! -e " + go + " ]; do sleep 0.1; done\nexec /usr/bin/setsid \"$@\"\n");
        assertThat(setsid.toFile().setExecutable(true)).isTrue();
        Map<String, String> variables =
                Map.of("HOLDFAST_ENDPOINTS", cluster.endpoints(), "PATH", tools + ":" + System.getenv("PATH"));
        try (Subprocess holder =
                Subprocess.start(variables, List.of("run", "early", "--", "sh", "-c", "echo ran; exec sleep 1000"))) {
            await().atMost(PATIENCE).until(() -> holder.out().contains("slow"));
            holder.signal("INT");

            Run run = holder.await();
            assertThat(run.code()).isEqualTo(ExitCode.SIGNAL + 2);
            assertThat(run.out()).isEqualTo("slow\n");
            assertThat(operator.locks("early")).isEmpty();
        } finally {
            Files.createFile(go);
        }
    }

    @Test
    void taken_by_an_operator_it_is_lost_and_the_command_is_ended() throws Exception {
        try (Subprocess holder = starting(
                "run", "broken", "--on-lost", "echo lost $HOLDFAST_LOST $HOLDFAST_KEY", "--", "sleep", "1000")) {
            operator.awaitHolders("broken", 1);
            long token = operator.lock("broken").getHolders(0).getFencingToken();

            Run broken = run("break", "broken", "--grant", Long.toString(token), "--reason", "stuck since noon");

            assertThat(broken).isEqualTo(new Run(ExitCode.OK, "took broken from grant " + token + "\n", ""));
            Run run = holder.await();
            assertThat(run.code()).isEqualTo(ExitCode.LOST);
            assertThat(run.out()).isEqualTo("lost REVOKED broken\n");
            assertThat(run.err()).contains("the lock broken was lost: REVOKED", "stuck since noon");
            assertThat(Run.at(
                                    cluster.endpoints(),
                                    "break",
                                    "broken",
                                    "--grant",
                                    Long.toString(token),
                                    "--reason",
                                    "again")
                            .code())
                    .isEqualTo(ExitCode.DIFFERENT);
        }
    }

    @Test
    void a_command_that_is_not_there_is_127_as_in_shells() throws Exception {
        Run run = run("run", "missing", "--", "no-such-command");

        assertThat(run.code()).isEqualTo(ExitCode.NO_SUCH_COMMAND);
        assertThat(run.err()).contains("no-such-command");
        assertThat(operator.locks("missing")).isEmpty();
    }

    @Test
    void many_at_once_that_add_one_to_a_file_lose_none() throws Exception {
        Path counter = Files.writeString(root.resolve("counter"), "0\n");
        List<Subprocess> all = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            all.add(starting(
                    "run",
                    "counter",
                    "--timeout",
                    LAST_SECONDS + "s",
                    "--",
                    "sh",
                    "-c",
                    "n=$(cat " + counter + "); echo $((n + 1)) >" + counter));
        }
        for (Subprocess each : all) {
            try (each) {
                Run run = each.await(LAST_SECONDS);
                assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
            }
        }

        assertThat(counter).hasContent(Integer.toString(AT_ONCE));
    }

    private static long[] numbers(String line) {
        return Arrays.stream(line.strip().split(" ")).mapToLong(Long::parseLong).toArray();
    }

    private static boolean isGone(long process) {
        return ProcessHandle.of(process).isEmpty();
    }
}
