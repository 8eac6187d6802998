package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.ratis.Cluster.Node;
import dev.holdfast.consensus.stored.StoredEntry;
import dev.holdfast.consensus.stored.StoredEntry.Content;
import dev.holdfast.consensus.stored.StoredLog;
import dev.holdfast.consensus.stored.StoredSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RatisLogReaderTest {
    private static final long MUCH = 64 * 1024 * 1024;

    @TempDir
    Path root;

    private final List<StoredEntry> entries = new ArrayList<>();

    private StoredLog read(Path directory) throws IOException {
        entries.clear();
        try (var clusters = Files.newDirectoryStream(directory, "*-*-*-*-*")) {
            UUID cluster =
                    UUID.fromString(clusters.iterator().next().getFileName().toString());
            return RatisLogReader.read(directory, cluster, entries::add);
        }
    }

    private List<String> replicated() {
        return entries.stream()
                .filter(entry -> entry.content() instanceof Content.Replicated)
                .map(entry -> new String(((Content.Replicated) entry.content()).bytes(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void every_entry_is_told_and_the_node_starts_from_the_same_files_afterwards() throws Exception {
        try (Cluster cluster = new Cluster(root, MUCH)) {
            cluster.bootstrap(Map.of("a", Part.VOTER));
            Node node = cluster.node("a");
            cluster.writeMany("e", 12, 30);
            node.stop();

            StoredLog log = read(node.directory());

            assertThat(replicated()).isEqualTo(node.replica.entries());
            assertThat(entries)
                    .extracting(StoredEntry::index)
                    .isEqualTo(entries.stream()
                            .map(StoredEntry::index)
                            .sorted()
                            .distinct()
                            .toList());
            assertThat(log.members()).extracting(member -> member.id().name()).containsExactly("a");
            assertThat(log.term()).isPositive();
            assertThat(log.votedFor())
                    .hasValueSatisfying(vote -> assertThat(vote).startsWith("a@"));
            assertThat(log.isDamaged()).isFalse();
            node.start();
            assertThat(cluster.leader()).isSameAs(node);
        }
    }

    @Test
    void damage_is_told_with_file_and_offset_and_what_lies_before_it() throws Exception {
        try (Cluster cluster = new Cluster(root, MUCH)) {
            cluster.bootstrap(Map.of("a", Part.VOTER));
            Node node = cluster.node("a");
            cluster.writeMany("e", 12, 30);
            node.stop();
            read(node.directory());
            StoredEntry hit = entries.get(7);
            byte[] bytes = Files.readAllBytes(hit.file());
            bytes[Math.toIntExact(hit.offset()) + 9] ^= 1;
            Files.write(hit.file(), bytes);

            StoredLog log = read(node.directory());

            assertThat(entries).hasSize(7);
            assertThat(log.segments()).singleElement().satisfies(segment -> {
                assertThat(segment.file()).isEqualTo(hit.file());
                assertThat(segment.damage()).map(StoredSegment.Damage::offset).hasValue(hit.offset());
            });
            assertThat(log.isDamaged()).isTrue();
        }
    }
}
