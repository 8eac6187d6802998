package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.contract.LocalCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operators' commands as processes of their own, against a real cluster. */
@Timeout(180)
class OperateTest {
    @TempDir
    static Path root;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static LocalCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.start(root, 3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** In a process of its own, as each command is once. */
    private static Run holdfast(String... args) throws Exception {
        return Subprocess.run("", atCluster(args));
    }

    private static Run here(String... args) {
        return Run.of("", atCluster(args));
    }

    private static String[] atCluster(String... args) {
        String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--endpoints";
        all[args.length + 1] = cluster.endpoints();
        return all;
    }

    private static void succeeds(Run run) {
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void status_has_a_row_for_each_node() throws Exception {
        Run run = holdfast("status");
        succeeds(run);
        assertThat(run.out()).contains("ENDPOINT", "WAITERS", "leading", "following", "replicated by Apache Ratis");
        assertThat(run.out().lines()).hasSize(4);
    }

    @Test
    void status_counts_who_waits() throws Exception {
        try (HoldfastClient client = HoldfastClient.create(cluster.endpoints());
                Grant held = client.lock("status/busy").acquire()) {
            CompletableFuture<Grant> waiting = client.lock("status/busy").acquireAsync();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Run.of("", "status", "-e", cluster.endpoints(), "-o", "json")
                                    .out())
                            .contains("\"waiters\": 1"));
            Grant.Outcome unused = held.release();
            waiting.join().close();
        }
    }

    @Test
    void status_of_a_silent_node_says_so_and_shows_the_others() {
        Run run = Run.of("", "status", "-e", cluster.address(0) + ",127.0.0.1:1");
        assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(run.out()).contains("n1", "SILENT", "warning: 127.0.0.1:1 cannot be reached");
    }

    @Test
    void members_are_listed_with_the_one_that_leads() throws Exception {
        Run run = holdfast("members");
        succeeds(run);
        assertThat(run.out()).containsOnlyOnce(" leads ").contains("n1@", "n2@", "n3@", "voter");
        assertThat(here("members", "-o", "name").out().lines()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void leadership_goes_to_whom_it_is_handed() throws Exception {
        Run first = here("member", "transfer", "n1");
        succeeds(first);
        assertThat(first.out()).isEqualToIgnoringNewLines("n1 leads.");
        Run second = holdfast("member", "transfer", "n2");
        succeeds(second);
        assertThat(second.out()).isEqualToIgnoringNewLines("n2 leads.");
    }

    @Test
    void a_member_that_is_not_there_is_a_usage_error_that_names_those_that_are() {
        Run run = here("member", "remove", "n9");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines())
                .containsExactly("holdfast member remove: there is no member \"n9\"; the members are n1, n2, n3");
    }

    @Test
    void limits_are_listed_and_set() throws Exception {
        succeeds(holdfast("limits", "set", "TTL_MIN_MILLIS", "700"));
        Run run = here("limits");
        succeeds(run);
        assertThat(run.out()).containsPattern("TTL_MIN_MILLIS +700 +1000 +1 ");
        Run wrong = here("limits", "set", "TTL_MAX", "1");
        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("\"TTL_MAX\" is no limit").doesNotContain("\tat ");
    }

    @Test
    void a_backup_is_saved_and_restored() throws Exception {
        Path file = root.resolve("backup.hfb");
        Run saved = holdfast("snapshot", "save", file.toString());
        succeeds(saved);
        assertThat(saved.out()).contains("saved " + file, "bytes, cluster ");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Path directory = root.resolve("restored");
        Run restored = Subprocess.run(
                "",
                "snapshot",
                "restore",
                file.toString(),
                "--node-name",
                "n1",
                "--data-dir",
                directory.toString(),
                "--above",
                "281474976710700");
        succeeds(restored);
        // The backup may know nothing of the longest lease of all: one that was taken after it.
        assertThat(restored.out())
                .contains(
                        "epoch 2",
                        "Do the same for every node",
                        "Nothing is granted for the first 1d ",
                        "--quarantine");
        Run knows = Run.of(
                "",
                "snapshot",
                "restore",
                file.toString(),
                "--node-name",
                "n1",
                "--data-dir",
                root.resolve("knows").toString(),
                "--first-restore",
                "--quarantine",
                "30s");
        succeeds(knows);
        assertThat(knows.out()).contains("Nothing is granted for the first 30s after");
        assertThat(Files.exists(directory.resolve("identity"))).isTrue();
        Run again = Run.of(
                "",
                "snapshot",
                "restore",
                file.toString(),
                "--node-name",
                "n1",
                "--data-dir",
                directory.toString(),
                "--first-restore");
        assertThat(again.code()).isEqualTo(ExitCode.USAGE);
        assertThat(again.err()).contains("is not empty");
    }

    @Test
    void a_file_that_is_no_backup_is_a_usage_error_of_one_line() throws Exception {
        Path file =
                Files.writeString(root.resolve("no-backup"), "hello, this is not what it should be, but long enough");
        Run foreign = Run.of(
                "", "snapshot", "restore", file.toString(), "--node-name", "n1", "--data-dir", "x", "--first-restore");
        assertThat(foreign.code()).isEqualTo(ExitCode.USAGE);
        assertThat(foreign.err().lines())
                .containsExactly("holdfast snapshot restore: " + file + " is not a Holdfast backup");
        Run missing =
                Run.of("", "snapshot", "restore", "missing", "--node-name", "n1", "--data-dir", "x", "--first-restore");
        assertThat(missing.code()).isEqualTo(ExitCode.USAGE);
        assertThat(missing.err().lines()).containsExactly("holdfast snapshot restore: missing does not exist");
    }

    @Test
    void bench_measures() {
        Run measured = here(
                "bench",
                "--threads",
                "4",
                "--shared-keys",
                "--hold",
                "5ms",
                "--warm-up",
                "0ms",
                "--duration",
                "2s",
                "--prefix",
                "bench/it/");
        succeeds(measured);
        assertThat(measured.out())
                .contains("4 threads, 1 client, 1 key for all, exclusive", "no failures", "P99.9", "pairs that took")
                .containsPattern("[1-9][0-9,.]* pairs/s");
    }

    @Test
    void top_sees_a_bench_that_shows_what_it_measured_when_it_is_interrupted() throws Exception {
        try (HoldfastClient client = HoldfastClient.create(cluster.endpoints());
                Subprocess bench = Subprocess.start(
                        "",
                        "bench",
                        "-e",
                        cluster.endpoints(),
                        "--threads",
                        "4",
                        "--shared-keys",
                        "--hold",
                        "5ms",
                        "--warm-up",
                        "0ms",
                        "--duration",
                        "10m",
                        "--prefix",
                        "bench/cut/")) {
            await().atMost(PATIENCE)
                    .until(() -> !client.history("bench/cut/0", 1).isEmpty());
            Run top = holdfast("top", "bench/cut/", "--interval", "1s");
            succeeds(top);
            assertThat(top.out())
                    .containsPattern("[0-9.]*[1-9][0-9.]* grants/s over")
                    .containsPattern("bench/cut/0 +[0-9.]*[1-9]");
            bench.signal("INT");
            assertThat(bench.await().out()).containsPattern("[1-9][0-9,]* pairs in");
        }
    }

    @Test
    void an_unreachable_cluster_is_told_in_one_line() throws Exception {
        String[][] commands = {
            {"members"}, {"limits"}, {"top", "--once"}, {"member", "add", "n4"}, {"snapshot", "save", "x"}
        };
        for (String[] command : commands) {
            String[] all = Arrays.copyOf(command, command.length + 4);
            System.arraycopy(new String[] {"-e", "127.0.0.1:1", "--timeout", "1s"}, 0, all, command.length, 4);
            Run run = Run.of("", all);
            assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(run.err().lines()).as(String.join(" ", command)).hasSize(1);
            assertThat(run.err()).startsWith("holdfast " + command[0]);
        }
    }

    @Test
    void completion_is_a_script_that_bash_accepts_and_that_knows_the_commands() throws Exception {
        Path script = Files.writeString(
                root.resolve("completion"),
                Subprocess.run("", "completion", "bash").out());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + " && complete -p holdfast && COMP_WORDS=(holdfast doc)"
                                + " COMP_CWORD=1 && _complete_holdfast && echo \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(said).isZero();
        assertThat(said).contains("doctor");
        assertThat(Run.of("", "completion", "zsh").out()).startsWith("#compdef holdfast");
        assertThat(Run.of("", "completion", "fish").code()).isEqualTo(ExitCode.USAGE);
    }
}
