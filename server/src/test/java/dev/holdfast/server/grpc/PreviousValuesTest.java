package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Limit;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The values before events, and what is said of those that are forgotten. */
class PreviousValuesTest {
    private final TestNode node = new TestNode();
    private final long lease = node.lease();
    private long seq;

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void value_before_is_left_out_once_the_history_has_forgotten_it() {
        LockResponse held = hold("a", "for this");
        Recorder<WatchRequest, WatchResponse> watch = watch("a", true);
        node.set(Limit.HISTORY_EVENTS, 16);
        for (int i = 0; i < 20; i++) {
            release(hold("other", ""), "other");
        }
        release(held, "a");
        Event ended = next(watch);
        assertThat(ended.getWhat()).isEqualTo(Event.What.ENDED);
        assertThat(ended.getKv().getFencingToken()).isEqualTo(held.getFencingToken());
        assertThat(ended.hasPrevKv())
                .as("a value without purpose and metadata, though it had one")
                .isFalse();

        LockResponse again = hold("a", "for that");
        assertThat(next(watch).hasPrevKv()).isFalse();
        release(again, "a");
        assertThat(next(watch).getPrevKv().getPurpose()).isEqualTo("for that");
    }

    private Recorder<WatchRequest, WatchResponse> watch(String key, boolean previous) {
        Recorder<WatchRequest, WatchResponse> watch = Recorder.eager();
        StreamObserver<WatchRequest> stream = node.streams().watch(watch);
        stream.onNext(WatchRequest.newBuilder().setKey(key).setPrevKv(previous).build());
        assertThat(watch.next().getCreated()).isTrue();
        return watch;
    }

    private static Event next(Recorder<WatchRequest, WatchResponse> watch) {
        return watch.next().getEvents(0);
    }

    private LockResponse hold(String key, String purpose) {
        return node.locks.lock(TestNode.request(lease, key, ++seq)
                .setAckedBelow(seq)
                .setPurpose(purpose)
                .build());
    }

    private void release(LockResponse held, String key) {
        var unused = node.locks.unlock(UnlockRequest.newBuilder()
                .setLeaseId(lease)
                .setName(key)
                .setFencingToken(held.getFencingToken())
                .build());
    }
}
