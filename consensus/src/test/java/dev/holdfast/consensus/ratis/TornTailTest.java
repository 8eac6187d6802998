package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TornTailTest {
    private static final long MUCH = 64 * 1024 * 1024;

    @TempDir
    Path directory;

    @Test
    void torn_tail_is_cut_where_the_entry_begins() throws Exception {
        SegmentBytes segment = SegmentBytes.of(1, 1_000, 300, 900, 2_000);
        Path file = directory.resolve("log_inprogress_0");
        Files.write(file, segment.unwritten(1_536, segment.bytes().length));
        int end = segment.ends().get(1);
        assertThat(TornTail.repair(directory))
                .containsExactly(new TornTail.Cut(file, end, segment.bytes().length - end));
        assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOf(segment.bytes(), end));
        assertThat(TornTail.repair(directory)).isEmpty();
    }

    @Test
    void sound_log_is_left_alone() throws Exception {
        SegmentBytes segment = SegmentBytes.of(1, 1_000, 300, 900);
        Files.write(directory.resolve("log_0-1"), segment.bytes());
        Files.write(directory.resolve("log_inprogress_2"), segment.bytes());
        assertThat(TornTail.repair(directory)).isEmpty();
        assertThat(Files.readAllBytes(directory.resolve("log_inprogress_2"))).isEqualTo(segment.bytes());
        assertThat(TornTail.repair(directory.resolve("missing"))).isEmpty();
    }

    @Test
    void damaged_entry_is_refused_and_the_file_left_as_it_is() throws Exception {
        SegmentBytes segment = SegmentBytes.of(1, 1_000, 300, 900);
        segment.bytes()[400] ^= 1;
        Path file = directory.resolve("log_inprogress_0");
        Files.write(file, segment.bytes());
        assertThatThrownBy(() -> TornTail.repair(directory))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("offset " + segment.ends().get(0))
                .hasMessageContaining("Replace it");
        assertThat(Files.readAllBytes(file)).isEqualTo(segment.bytes());
    }

    /** It was flushed before it got its name, so nothing of it can be torn. */
    @Test
    void closed_segment_that_lacks_entries_is_refused() throws Exception {
        SegmentBytes segment = SegmentBytes.of(1, 0, 300, 900, 2_000);
        Path file = directory.resolve("log_0-2");
        Files.write(file, Arrays.copyOf(segment.bytes(), 2_048));
        assertThatThrownBy(() -> TornTail.repair(directory))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("2 of 3");
    }

    @Test
    void node_starts_with_all_that_lies_before_the_tear() throws Exception {
        try (Cluster cluster = new Cluster(directory, MUCH)) {
            cluster.bootstrap(Map.of("a", Part.VOTER));
            Node node = cluster.node("a");
            cluster.writeMany("e", 12, 300);
            node.stop();
            List<String> all = node.replica.entries();
            Path file = openSegment(node);
            byte[] sound = Files.readAllBytes(file);
            for (int from = sound.length / 512 * 512; from >= 512; from -= 1_024) {
                byte[] torn = sound.clone();
                Arrays.fill(torn, from, torn.length, (byte) 0);
                Files.write(file, torn);
                node.start();
                assertThat(cluster.leader()).isSameAs(node);
                List<String> left = node.replica.entries();
                // An entry takes 400 bytes in the log, at most; the first ones are the engine's own.
                assertThat(left).hasSizeGreaterThanOrEqualTo(from / 400 - 2).isEqualTo(all.subList(0, left.size()));
                node.stop();
                deleteLog(node);
                Files.write(file, sound);
            }
            node.start();
            assertThat(cluster.leader().replica.entries()).isEqualTo(all);
        }
    }

    @Test
    void torn_follower_gets_back_what_it_lost() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.writeMany("e", 12, 300);
            cluster.awaitAgreement();
            Node follower = cluster.follower();
            follower.stop();
            Path file = openSegment(follower);
            byte[] bytes = Files.readAllBytes(file);
            Arrays.fill(bytes, bytes.length / 512 * 512 - 512, bytes.length, (byte) 0);
            Files.write(file, bytes);
            follower.start();
            cluster.write("more");
            cluster.awaitAgreement();
            assertThat(follower.replica.entries()).hasSize(13);
        }
    }

    @Test
    void node_with_a_damaged_log_does_not_start() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.writeMany("e", 12, 300);
            Node follower = cluster.follower();
            follower.stop();
            Path file = openSegment(follower);
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 8;
            Files.write(file, bytes);
            assertThatThrownBy(follower::start).isInstanceOf(LogException.class).hasMessageContaining(file.toString());
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        }
    }

    @Test
    void node_whose_list_of_members_is_damaged_does_not_start() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            cluster.write("one");
            Node follower = cluster.follower();
            follower.stop();
            Path file = follower.logDirectory().resolve("raft-meta.conf");
            Files.write(file, new byte[] {1, 2, 3});
            assertThatThrownBy(follower::start).isInstanceOf(LogException.class).hasMessageContaining(file.toString());
        }
    }

    private static Path openSegment(Node node) {
        String name = node.segments().stream()
                .filter(segment -> segment.startsWith("log_inprogress_"))
                .findFirst()
                .orElseThrow();
        return node.logDirectory().resolve(name);
    }

    private static void deleteLog(Node node) throws Exception {
        for (String segment : node.segments()) {
            Files.delete(node.logDirectory().resolve(segment));
        }
    }
}
