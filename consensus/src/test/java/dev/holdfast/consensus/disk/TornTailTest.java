package dev.holdfast.consensus.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rule of what is cut off and what is refused, byte by byte. */
class TornTailTest {
    private static final String LONG = "long ".repeat(220);

    @TempDir
    Path directory;

    private Path segment;
    private byte[] whole;
    private int last;

    /** Records: the term's, "first", LONG in three sectors, and in the end LONG again. */
    @BeforeEach
    void write() throws IOException {
        Logs.write(directory, "first", LONG, LONG);
        segment = Logs.onlySegment(directory);
        whole = Files.readAllBytes(segment);
        last = Math.toIntExact(Logs.offsets(segment).get(3));
        assertThat(whole.length - last).isEqualTo(3 * RecordFormat.SECTOR);
    }

    @Test
    void record_cut_short_at_any_byte_is_cut_off() throws IOException {
        for (int length = last; length < whole.length; length++) {
            Files.write(segment, Arrays.copyOf(whole, length));
            assertThat(Logs.replay(directory)).as("%d bytes", length).containsExactly("first", LONG);
            assertThat(Files.size(segment)).isEqualTo(last);
        }
    }

    @Test
    void record_cut_short_before_zeros_is_cut_off_at_sector_ends_only() throws IOException {
        for (int length = last + 1; length < whole.length; length += 11) {
            byte[] torn = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length + 4096);
            boolean sectorMissing = whole.length - length >= RecordFormat.SECTOR;
            if (sectorMissing && length - last >= RecordFormat.HEADER_BYTES) {
                Files.write(segment, torn);
                assertThat(Logs.replay(directory)).as("%d bytes", length).containsExactly("first", LONG);
            } else if (!Arrays.equals(torn, 0, whole.length, whole, 0, whole.length)) {
                // A sector that is half there was not left by a crash: sectors are written wholly or not at all.
                assertRefused(torn, last);
            }
        }
    }

    @Test
    void sectors_never_written_are_cut_off_whichever_they_are() throws IOException {
        for (int sectors = 1; sectors < 8; sectors++) {
            byte[] torn = Arrays.copyOf(whole, whole.length + 4096);
            for (int sector = 0; sector < 3; sector++) {
                if ((sectors >> sector & 1) == 1) {
                    blank(torn, last / RecordFormat.SECTOR + sector);
                }
            }
            Files.write(segment, torn);
            assertThat(Logs.replay(directory)).as("sectors %d", sectors).containsExactly("first", LONG);
            assertThat(Files.size(segment)).isEqualTo(last);
        }
    }

    @Test
    void blank_sector_before_another_record_is_refused() throws IOException {
        List<Long> offsets = Logs.offsets(segment);
        for (int record = 0; record < 3; record++) {
            int from = Math.toIntExact(offsets.get(record));
            for (int at = from; at < offsets.get(record + 1); at += RecordFormat.SECTOR) {
                byte[] damaged = whole.clone();
                blank(damaged, at / RecordFormat.SECTOR);
                assertRefused(damaged, from);
            }
        }
    }

    @Test
    void every_flipped_bit_is_refused_in_whichever_record() throws IOException {
        List<Long> offsets = Logs.offsets(segment);
        for (int record = 0; record < 4; record++) {
            int from = Math.toIntExact(offsets.get(record));
            for (int at = from; at < offsets.get(record + 1); at++) {
                byte[] damaged = whole.clone();
                damaged[at] ^= (byte) (1 << at % 8);
                assertRefused(damaged, from);
            }
        }
    }

    @Test
    void flipped_bits_of_a_length_are_refused_although_zeros_follow() throws IOException {
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            byte[] damaged = Arrays.copyOf(whole, whole.length + 4096);
            damaged[last + 8 + bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(damaged, last);
        }
    }

    @Test
    void zeros_that_were_written_are_not_taken_for_a_tear() throws IOException {
        Logs.write(directory, "\0".repeat(3000) + "end");
        Path newest = SegmentFile.list(directory).get(1).path();
        byte[] bytes = Files.readAllBytes(newest);
        long from = Logs.offsets(newest).get(1);
        byte[] damaged = bytes.clone();
        damaged[bytes.length - 1] ^= 1;
        Files.write(newest, damaged);
        assertThatThrownBy(() -> Logs.replay(directory))
                .hasMessageContaining(newest + " is damaged at offset " + from + ": the record's checksum is wrong");
        damaged = bytes.clone();
        blank(damaged, bytes.length / RecordFormat.SECTOR - 1);
        Files.write(newest, damaged);
        assertThat(Logs.replay(directory)).containsExactly("first", LONG, LONG);
    }

    @Test
    void tear_before_a_later_file_is_refused() throws IOException {
        Logs.write(directory, "later");
        assertRefused(Arrays.copyOf(whole, whole.length - 1), last);
    }

    @Test
    void log_goes_on_behind_what_was_cut_off() throws IOException {
        Files.write(segment, Arrays.copyOf(whole, whole.length - 1));
        Logs.write(directory, "after");
        assertThat(Logs.read(directory)).containsExactly("first", LONG, "after");
    }

    @Test
    void file_without_a_whole_record_is_removed() throws IOException {
        Path next = SegmentFile.in(directory, 5).path();
        for (int length : new int[] {0, 1, 100, 4096}) {
            Files.write(next, new byte[length]);
            assertThat(Logs.replay(directory)).containsExactly("first", LONG, LONG);
            assertThat(next).doesNotExist();
        }
    }

    private void assertRefused(byte[] content, int offset) throws IOException {
        Files.write(segment, content);
        assertThatThrownBy(() -> Logs.replay(directory))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(segment + " is damaged at offset " + offset + ":")
                .hasMessageContaining("restore the whole directory from a backup");
        assertThat(Files.size(segment)).as("nothing is cut").isEqualTo(content.length);
    }

    private static void blank(byte[] bytes, int sector) {
        Arrays.fill(bytes, sector * RecordFormat.SECTOR, (sector + 1) * RecordFormat.SECTOR, (byte) 0);
    }
}
