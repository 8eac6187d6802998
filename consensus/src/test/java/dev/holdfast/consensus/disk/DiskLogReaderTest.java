package dev.holdfast.consensus.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.stored.StoredEntry;
import dev.holdfast.consensus.stored.StoredEntry.Content;
import dev.holdfast.consensus.stored.StoredLog;
import dev.holdfast.consensus.stored.StoredSegment.Damage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DiskLogReaderTest {
    @TempDir
    Path directory;

    private final List<StoredEntry> entries = new ArrayList<>();

    private StoredLog read() throws IOException {
        entries.clear();
        return DiskLogReader.read(directory, entries::add);
    }

    private static Map<Path, String> contents(Path directory) throws IOException {
        Map<Path, String> contents = new HashMap<>();
        try (Stream<Path> files = Files.walk(directory).filter(Files::isRegularFile)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                contents.put(file, Arrays.toString(Files.readAllBytes(file)) + Files.getLastModifiedTime(file));
            }
        }
        return contents;
    }

    private List<String> words() {
        return entries.stream()
                .map(entry -> entry.content() instanceof Content.Replicated own
                        ? new String(own.bytes(), StandardCharsets.UTF_8)
                        : ((Content.Engine) entry.content()).words())
                .toList();
    }

    @Test
    void every_entry_is_told_with_its_term_and_nothing_is_changed() throws IOException {
        Logs.write(directory, "first", "second");
        Logs.write(directory, "third");
        Map<Path, String> before = contents(directory);

        StoredLog log = read();

        assertThat(words()).containsExactly("term begins", "first", "second", "term begins", "third");
        assertThat(entries).extracting(StoredEntry::index).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(entries).extracting(StoredEntry::term).containsExactly(1L, 1L, 1L, 2L, 2L);
        assertThat(log.term()).isEqualTo(2);
        assertThat(log.committed()).hasValue(5);
        assertThat(log.isDamaged()).isFalse();
        assertThat(contents(directory)).isEqualTo(before);
    }

    @Test
    void write_that_a_crash_cut_short_is_told_and_no_damage() throws IOException {
        Logs.write(directory, "first", "second");
        Path segment = Logs.onlySegment(directory);
        long last = Logs.offsets(segment).get(2);
        Files.write(segment, Arrays.copyOf(Files.readAllBytes(segment), (int) last + 40));

        StoredLog log = read();

        assertThat(words()).containsExactly("term begins", "first");
        assertThat(log.segments().get(0).damage()).hasValueSatisfying(damage -> {
            assertThat(damage.offset()).isEqualTo(last);
            assertThat(damage.torn()).isTrue();
        });
        assertThat(log.isDamaged()).isFalse();
    }

    @Test
    void damage_is_told_with_file_and_offset() throws IOException {
        Logs.write(directory, "first", "second");
        Path segment = Logs.onlySegment(directory);
        byte[] bytes = Files.readAllBytes(segment);
        int second = Math.toIntExact(Logs.offsets(segment).get(2));
        bytes[second + RecordFormat.HEADER_BYTES + 5] ^= 1;
        Files.write(segment, bytes);

        StoredLog log = read();

        assertThat(words()).containsExactly("term begins", "first");
        assertThat(log.segments().get(0).file()).isEqualTo(segment);
        assertThat(log.segments().get(0).damage()).map(Damage::offset).hasValue((long) second);
        assertThat(log.isDamaged()).isTrue();
    }

    @Test
    void missing_file_is_told() throws IOException {
        Logs.write(directory, "first");
        Files.delete(Logs.onlySegment(directory));
        Files.createFile(SegmentFile.in(directory, 7).path());

        assertThat(read().problems()).singleElement().asString().contains("from 1 to 6 are missing");
    }
}
