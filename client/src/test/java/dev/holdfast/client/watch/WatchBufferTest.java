package dev.holdfast.client.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchBufferTest {
    private final WatchBuffer buffer = new WatchBuffer(() -> {}, () -> {});

    private static Event event(long revision) {
        return Event.newBuilder().setRevision(revision).build();
    }

    @Test
    void reading_resumes_at_the_first_event_that_was_not_read() {
        assertThat(buffer.add(List.of(event(5), event(6)), 7)).isTrue();
        assertThat(buffer.poll()).contains(new WatchBuffer.Taken(event(5), 5));
        assertThat(buffer.resumeRevision()).isEqualTo(6);
        assertThat(buffer.poll()).contains(new WatchBuffer.Taken(event(6), 6));
        assertThat(buffer.resumeRevision()).isEqualTo(7);
    }

    @Test
    void a_revision_is_behind_the_reader_only_with_its_last_event() {
        buffer.add(List.of(event(5), event(5)), 6);
        assertThat(buffer.poll()).contains(new WatchBuffer.Taken(event(5), 4));
        assertThat(buffer.poll()).contains(new WatchBuffer.Taken(event(5), 5));
    }

    @Test
    void what_arrives_after_it_was_closed_does_not_move_where_to_resume() {
        buffer.add(List.of(event(5), event(6)), 7);
        buffer.close(IllegalStateException::new);
        buffer.add(List.of(event(8)), 9);
        buffer.startAt(20);
        assertThat(buffer.resumeRevision()).isEqualTo(5);
    }
}
