package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.ratis.Segment.Damage;
import dev.holdfast.consensus.ratis.Segment.Scan;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SegmentTest {
    private static final int[] SIZES = {40, 300, 700, 5, 1_600, 90, 512, 480, 2_100};

    private final SegmentBytes sound = SegmentBytes.of(7, 4_096, SIZES);

    @Test
    void sound_segment_is_read_to_its_end() {
        assertThat(new Segment(sound.bytes()).scan()).satisfies(scan -> {
            assertThat(scan.damage()).isEmpty();
            assertThat(scan.entries()).isEqualTo(SIZES.length);
            assertThat(scan.end()).isEqualTo(sound.end());
        });
        assertThat(new Segment(new byte[1_024]).scan().damage()).isEmpty();
        assertThat(new Segment(new byte[0]).scan().damage()).isEmpty();
    }

    @Test
    void tail_never_written_is_torn_from_the_first_entry_it_reaches() {
        for (int from = Segment.SECTOR; from < sound.end(); from += Segment.SECTOR) {
            assertTornOrEnded(sound.unwritten(from, sound.bytes().length), from);
            assertTornOrEnded(Arrays.copyOf(sound.bytes(), from), from);
        }
    }

    /** Sectors of one write reach the disk in any order. */
    @Test
    void hole_of_sectors_never_written_is_torn_from_the_first_entry_it_reaches() {
        for (int from = Segment.SECTOR; from < sound.end(); from += Segment.SECTOR) {
            assertTornOrEnded(sound.unwritten(from, from + Segment.SECTOR), from);
            assertTornOrEnded(sound.unwritten(from, from + 2 * Segment.SECTOR), from);
        }
    }

    /** What was flushed ends anywhere in a sector; the rest of that sector then still shows what was there. */
    @Test
    void rest_of_a_sector_never_written_is_torn_at_the_entry_that_begins_there() {
        for (int start : sound.ends()) {
            int end = (start / Segment.SECTOR + 1) * Segment.SECTOR;
            if (start < sound.end() && start % Segment.SECTOR != 0) {
                assertTornOrEnded(sound.unwritten(start, end), start);
            }
        }
    }

    private void assertTornOrEnded(byte[] bytes, int from) {
        Scan scan = new Segment(bytes).scan();
        assertThat(scan.entries()).as("entries before %s", from).isEqualTo(sound.entriesBefore(from));
        if (scan.damage().isPresent()) {
            assertThat(scan.damage()).map(Damage::torn).as("torn at %s", from).contains(true);
        } else {
            assertThat(scan.end()).as("nothing was lost but zeros").isLessThanOrEqualTo(from);
        }
    }

    @Test
    void file_that_ends_within_an_entry_is_torn() {
        int last = sound.ends().get(SIZES.length - 2);
        for (int length = last + 1; length < sound.end(); length++) {
            Scan scan = new Segment(Arrays.copyOf(sound.bytes(), length)).scan();
            assertThat(scan.entries()).isEqualTo(SIZES.length - 1);
            assertThat(scan.damage()).map(Damage::torn).as("length %s", length).contains(true);
        }
    }

    @Test
    void flipped_bit_is_damage_and_never_torn() {
        for (int at = 0; at < sound.end(); at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = sound.bytes().clone();
                flipped[at] ^= (byte) (1 << bit);
                Scan scan = new Segment(flipped).scan();
                assertThat(scan.damage())
                        .map(Damage::torn)
                        .as("bit %s of byte %s", bit, at)
                        .contains(false);
                assertThat(scan.entries()).isEqualTo(sound.entriesBefore(at));
            }
        }
    }

    @Test
    void overwritten_bytes_are_damage_and_never_torn() {
        for (int at = SegmentBytes.START; at + 16 < sound.end(); at += 7) {
            byte[] overwritten = sound.bytes().clone();
            for (int i = at; i < at + 16; i++) {
                overwritten[i] = (byte) (overwritten[i] + 1 == 0 ? 1 : overwritten[i] + 1);
            }
            assertThat(new Segment(overwritten).scan().damage())
                    .map(Damage::torn)
                    .as("from byte %s", at)
                    .contains(false);
        }
    }
}
