package dev.holdfast.simulator.promise;

import static dev.holdfast.simulator.promise.Facts.exclusive;
import static dev.holdfast.simulator.promise.Facts.granted;
import static dev.holdfast.simulator.promise.Facts.queued;
import static dev.holdfast.simulator.promise.Facts.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.client.api.Metadata;
import dev.holdfast.client.api.Slots;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.watch.WatchOptions;
import dev.holdfast.core.event.Event;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchDeliveryTest {
    private static final List<Event> HAPPENED = List.of(
            granted(1, 1, 1, 0, exclusive("a")),
            queued(2, 2, 1, exclusive("a")),
            released(3, 1, 1, 1, exclusive("a")),
            granted(4, 2, 1, 2, exclusive("a")),
            granted(5, 3, 1, 0, exclusive("b")));

    private final Findings findings = new Findings(new World(1, Trace.hashed()));
    private final WatchDelivery watched =
            new WatchDelivery("c1", WatchOptions.of("a").from(1), findings);

    @BeforeEach
    void begin() {
        watched.begun(HAPPENED);
    }

    private void told(long revision, WatchEvent.Kind kind) {
        watched.told(new WatchEvent(
                kind,
                "a",
                "c1",
                1,
                false,
                0,
                Slots.NONE,
                "",
                Metadata.NONE,
                revision,
                Optional.empty(),
                "",
                Instant.EPOCH,
                Optional.empty(),
                "0-" + revision));
    }

    private boolean isKept() {
        watched.check();
        return findings.isEmpty();
    }

    @Test
    void all_of_it_in_order_is_what_was_promised() {
        told(1, WatchEvent.Kind.GRANTED);
        told(3, WatchEvent.Kind.ENDED);
        told(4, WatchEvent.Kind.GRANTED);
        assertThat(isKept()).isTrue();
    }

    @Test
    void a_gap_is_found() {
        told(1, WatchEvent.Kind.GRANTED);
        told(4, WatchEvent.Kind.GRANTED);
        assertThat(isKept()).isFalse();
    }

    @Test
    void an_event_that_is_told_twice_is_found() {
        told(1, WatchEvent.Kind.GRANTED);
        told(3, WatchEvent.Kind.ENDED);
        told(3, WatchEvent.Kind.ENDED);
        told(4, WatchEvent.Kind.GRANTED);
        assertThat(isKept()).isFalse();
    }

    @Test
    void the_wrong_order_is_found() {
        told(3, WatchEvent.Kind.ENDED);
        told(1, WatchEvent.Kind.GRANTED);
        assertThat(findings.isEmpty()).isFalse();
    }

    @Test
    void what_never_came_is_found() {
        told(1, WatchEvent.Kind.GRANTED);
        assertThat(isKept()).isFalse();
    }

    @Test
    void a_watch_that_was_closed_need_not_see_the_rest() {
        told(1, WatchEvent.Kind.GRANTED);
        watched.closed();
        assertThat(isKept()).isTrue();
    }
}
