package dev.holdfast.client.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.core.PlayedServer;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.client.time.ThreadTimers;
import dev.holdfast.client.time.Ticks;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session's watches against a server that is played by the test. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchesTest {
    private static final Duration SOON = Duration.ofMillis(5);

    private final AtomicLong aheadMillis = new AtomicLong();
    private final Ticks ticks = new Ticks() {
        @Override
        public long nanos() {
            return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aheadMillis.get());
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis() + aheadMillis.get();
        }

        @Override
        public long bootNanos() {
            return UNKNOWN;
        }
    };
    private final ThreadTimers timers = new ThreadTimers("timers");
    private final PlayedServer server = new PlayedServer();
    private final Session session = new Session(
            new SessionSettings("c", Duration.ofSeconds(15), Duration.ZERO, Duration.ofSeconds(10), SOON, SOON),
            List.of("node"),
            server,
            new ElapsedClock(ticks),
            timers,
            timers::execute,
            Runnable::run,
            new Random(1),
            SessionEvents.NONE);
    private final ClientCore core = new ClientCore(session);

    @AfterEach
    void stop() {
        timers.close();
    }

    private Watch open() throws InterruptedException {
        return core.watches().open(WatchOptions.of("k").withPrefix());
    }

    @Test
    void watch_resumes_on_a_new_stream_behind_what_it_has_with_its_epoch_and_under_another_number() throws Exception {
        Watch watch = open();
        WatchRequest first = server.requests.take();
        assertThat(first.hasStartEpoch()).isFalse();
        assertThat(first.getStartRevision()).isZero();
        server.events(first.getWatchId(), 11, 12);
        assertThat(watch.next().revision()).isEqualTo(11);
        server.breakStream();
        WatchRequest second = server.requests.take();
        assertThat(second.getStartRevision()).isEqualTo(13);
        assertThat(second.hasStartEpoch()).isTrue();
        assertThat(second.getStartEpoch()).isZero();
        assertThat(second.getWatchId()).isNotEqualTo(first.getWatchId());
        server.events(first.getWatchId(), 12, 13);
        server.events(second.getWatchId(), 13, 13);
        assertThat(List.of(
                        watch.next().revision(),
                        watch.next().revision(),
                        watch.next().revision(),
                        watch.next().revision(),
                        watch.next().revision()))
                .as("what comes under the old number is of no interest")
                .containsExactly(11L, 12L, 12L, 13L, 13L);
        assertThat(watch.poll(Duration.ZERO)).isEmpty();
    }

    @Test
    void watch_from_a_cursor_says_its_epoch_and_one_from_a_revision_says_none() throws Exception {
        Watch watch = core.watches().open(WatchOptions.of("k").from(new Cursor(3, 40)));
        WatchRequest request = server.requests.take();
        assertThat(request.getStartEpoch()).isEqualTo(3);
        assertThat(request.getStartRevision()).isEqualTo(41);
        watch.close();
        Watch bare = core.watches().open(WatchOptions.of("k").from(41));
        await().until(() -> server.requests.stream().anyMatch(asked -> asked.getStartRevision() == 41));
        assertThat(server.requests.stream()
                        .filter(asked -> asked.getStartRevision() == 41)
                        .findFirst()
                        .orElseThrow()
                        .hasStartEpoch())
                .isFalse();
        bare.close();
    }

    @Test
    void quiet_watch_resumes_behind_what_the_server_said_that_it_has_seen() throws Exception {
        Watch watch = open();
        server.events(server.requests.take().getWatchId(), 100, 99);
        // Another thread may be running the session's tasks, and carries this out, too.
        await().until(() -> watch.cursor().equals("0-99"));
        server.breakStream();
        assertThat(server.requests.take().getStartRevision()).isEqualTo(100);
    }

    @Test
    void response_that_does_not_fit_is_not_taken_in_part_and_the_watch_reopens_once_all_is_read() throws Exception {
        Watch watch = open();
        long number = server.requests.take().getWatchId();
        server.events(number, 11, 2_010);
        server.events(number, 2_011, 2_100);
        WatchRequest cancel = server.requests.take();
        assertThat(cancel.getCancel()).isTrue();
        assertThat(cancel.getWatchId()).isEqualTo(number);
        server.events(number, 2_101, 2_101);
        for (int i = 0; i < 3_999; i++) {
            watch.next();
        }
        assertThat(watch.cursor()).as("given out in part").isEqualTo("0-2009");
        assertThat(server.requests).isEmpty();
        watch.next();
        WatchRequest again = server.requests.take();
        assertThat(again.getStartRevision()).isEqualTo(2_011);
        assertThat(again.getWatchId()).isNotEqualTo(number);
        server.events(again.getWatchId(), 2_011, 2_011);
        assertThat(watch.next().revision()).isEqualTo(2_011);
    }

    @Test
    void watch_that_a_node_gives_up_is_opened_again_and_one_that_is_compacted_is_not() throws Exception {
        Watch watch = open();
        WatchRequest first = server.requests.take();
        server.events(first.getWatchId(), 11, 11);
        server.canceled(first.getWatchId(), Code.UNAVAILABLE, 0);
        WatchRequest second = server.requests.take();
        assertThat(second.getStartRevision()).isEqualTo(12);
        server.revision = 500;
        server.canceled(second.getWatchId(), Code.COMPACTED, 400);
        assertThat(watch.next().revision()).isEqualTo(11);
        assertThat(watch.next().revision()).isEqualTo(11);
        assertThatThrownBy(watch::next).isInstanceOfSatisfying(CompactedException.class, gone -> {
            assertThat(gone.next()).isEqualTo("0-500");
            assertThat(gone.oldest()).isEqualTo("0-399");
        });
        assertThat(session.isListening()).isFalse();
    }

    @Test
    void watch_that_is_closed_while_there_is_no_stream_is_not_opened_on_the_next() throws Exception {
        Watch kept = open();
        Watch left = open();
        assertThat(server.requests).hasSize(2);
        server.requests.clear();
        server.breakStream();
        left.close();
        assertThat(server.requests.take().getStartRevision()).isEqualTo(11);
        server.breakStream();
        assertThat(server.requests.take().getStartRevision()).isEqualTo(11);
        kept.close();
        await().until(() -> !session.isListening());
    }

    @Test
    void stream_on_which_watches_are_not_heard_of_any_more_is_left_for_another() throws Exception {
        Watch watch = open();
        WatchRequest first = server.requests.take();
        aheadMillis.set(10_000);
        server.events(first.getWatchId(), 11, 11);
        aheadMillis.set(20_000);
        server.events(first.getWatchId(), 12, 11);
        assertThat(watch.next().revision()).isEqualTo(11);
        assertThat(server.requests).isEmpty();
        aheadMillis.set(40_000);
        assertThat(server.requests.take().getStartRevision()).isEqualTo(12);
    }
}
