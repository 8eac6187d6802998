package dev.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class DemoTest {
    private static final long PATIENCE_SECONDS = 150;
    private static final Pattern PAUSED = Pattern.compile("kill -STOP (\\d+)");
    private static final Pattern NODES = Pattern.compile("processes (\\d+), (\\d+), (\\d+)");

    @Test
    void every_story_comes_out_right() throws Exception {
        try (Subprocess demo = Subprocess.start(Map.of(), List.of("demo"))) {
            Run run = demo.await(PATIENCE_SECONDS);
            assertThat(run.code()).as(run.out() + run.err()).isZero();
            assertThat(run.err()).isEmpty();
            assertThat(run.out().lines().filter(line -> line.startsWith("  ✓"))).hasSize(4);
            assertThat(run.out()).contains("STALE_TOKEN").contains("leads now");
        }
    }

    @Test
    void ctrl_c_leaves_no_process_behind_not_even_one_that_stands_still() throws Exception {
        try (Subprocess demo = Subprocess.start(Map.of(), List.of("demo"))) {
            await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                    .until(() -> PAUSED.matcher(demo.out()).find());
            Matcher nodes = NODES.matcher(demo.out());
            Matcher paused = PAUSED.matcher(demo.out());
            assertThat(nodes.find() && paused.find()).isTrue();
            demo.signal("INT");
            assertThat(demo.await(PATIENCE_SECONDS).code()).isNotZero();
            for (String pid : List.of(nodes.group(1), nodes.group(2), nodes.group(3), paused.group(1))) {
                assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive))
                        .as("process %s", pid)
                        .isEmpty();
            }
        }
    }
}
