package dev.holdfast.client.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.core.PlayedServer;
import dev.holdfast.client.session.CallbackPool;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.client.time.SystemTicks;
import dev.holdfast.client.time.ThreadTimers;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderObserverTest {
    private static final Duration SOON = Duration.ofMillis(5);

    private final ThreadTimers timers = new ThreadTimers("timers");
    private final ThreadPoolExecutor callbacks = CallbackPool.threads("callbacks");
    private final PlayedServer server = new PlayedServer();
    private final Session session = new Session(
            new SessionSettings("c", Duration.ofSeconds(15), Duration.ZERO, Duration.ofSeconds(10), SOON, SOON),
            List.of("node"),
            server,
            new ElapsedClock(new SystemTicks()),
            timers,
            timers::execute,
            callbacks,
            new Random(1),
            SessionEvents.NONE);

    @AfterEach
    void stop() {
        timers.close();
        callbacks.shutdown();
    }

    private void leads(String value, long token) {
        server.lock = GetResponse.newBuilder()
                .setLock(LockRecord.newBuilder()
                        .addHolders(Holder.newBuilder()
                                .setHolderId("h")
                                .setFencingToken(token)
                                .setMetadata(ByteString.copyFromUtf8(value))))
                .build();
    }

    @Test
    void watch_begins_right_behind_the_answer_and_after_a_gap_the_present_leader_is_told_again() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        LeaderObserver observing =
                new LeaderObserver(new ClientCore(session), "election/e", leadership -> seen.add(leadership.value()));
        leads("a", 5);
        observing.begin();
        WatchRequest first = server.requests.take();
        assertThat(first.getStartRevision()).isEqualTo(11);
        await().until(() -> seen.size() == 1);
        leads("z", 90);
        server.revision = 100;
        server.canceled(first.getWatchId(), Code.COMPACTED, 90);
        WatchRequest second = server.requests.take();
        assertThat(second.getStartRevision()).isEqualTo(101);
        await().untilAsserted(() -> assertThat(seen).containsExactly("a", "z"));
        server.canceled(second.getWatchId(), Code.COMPACTED, 95);
        WatchRequest third = server.requests.take();
        assertThat(third.getStartRevision()).isEqualTo(101);
        observing.close();
        assertThat(server.requests.take().getCancel()).isTrue();
        assertThat(seen).as("the same leader is not told twice").containsExactly("a", "z");
    }
}
