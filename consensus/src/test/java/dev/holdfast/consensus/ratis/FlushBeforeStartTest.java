package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process wrote and did not flush is flushed before the engine counts it. */
@Timeout(60)
class FlushBeforeStartTest {
    /** Small, so that there are several segments. */
    private static final long LITTLE = 128 * 1024;

    @TempDir
    Path directory;

    @Test
    void every_file_of_the_log_is_flushed_before_the_engine_opens_it() {
        try (Cluster cluster = new Cluster(directory, LITTLE)) {
            cluster.bootstrap(Map.of("a", Part.VOTER));
            Node node = cluster.node("a");
            cluster.writeMany("e", 30, 4_000);
            assertThat(hasOpenLog(node)).isTrue();
            node.stop();
            List<String> found = node.segments();
            assertThat(found).hasSizeGreaterThan(1);
            List<String> flushed = new ArrayList<>();
            node.disk.onFlush(file -> {
                assertThat(hasOpenLog(node)).isFalse();
                flushed.add(file.getFileName().toString());
            });
            node.start();
            assertThat(flushed).containsExactlyInAnyOrderElementsOf(found);
        }
    }

    @Test
    void log_that_cannot_be_flushed_does_not_start() {
        try (Cluster cluster = new Cluster(directory, LITTLE)) {
            cluster.bootstrap(Map.of("a", Part.VOTER));
            Node node = cluster.node("a");
            cluster.write("one");
            node.stop();
            node.disk.onFlush(file -> {
                throw new IOException("the disk is broken");
            });
            assertThatThrownBy(node::start).hasMessageContaining("the disk is broken");
            assertThat(hasOpenLog(node)).isFalse();
        }
    }

    /** The engine has a thread that writes, from when it opens its log until it closes it. */
    private static boolean hasOpenLog(Node node) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .anyMatch(name ->
                        name.startsWith(node.member.id().toString()) && name.contains("SegmentedRaftLogWorker"));
    }
}
