package dev.holdfast.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.stored.StoredEntry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryRangeTest {
    private static List<Long> shown(EntryRange range) {
        for (long index = 1; index <= 10; index++) {
            range.add(ReadEntry.of(
                    new StoredEntry(1, index, Path.of("log"), 0, new StoredEntry.Content.Engine("term begins"))));
        }
        return range.shown().stream().map(entry -> entry.stored().index()).toList();
    }

    @Test
    void without_a_beginning_the_last_ones_are_shown() {
        EntryRange range = new EntryRange(-1, Long.MAX_VALUE, 3);
        assertThat(shown(range)).containsExactly(8L, 9L, 10L);
        assertThat(range.all()).isEqualTo(10);
        assertThat(range.leftOut()).isEqualTo(7);
    }

    @Test
    void with_a_beginning_those_from_there_on_are_shown() {
        EntryRange range = new EntryRange(4, 9, 3);
        assertThat(shown(range)).containsExactly(4L, 5L, 6L);
        assertThat(range.leftOut()).isEqualTo(3);
    }

    @Test
    void an_end_alone_shows_what_lies_before_it() {
        assertThat(shown(new EntryRange(-1, 5, 2))).containsExactly(4L, 5L);
    }
}
