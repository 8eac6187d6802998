package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Limit;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The values before: what they cost, and what is said of those that are forgotten. */
class PreviousValuesTest {
    private static final int ROUNDS = 7;
    private static final int PERMITS = 3_000;
    private static final int OTHERS = 3_000;

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

    @Test
    void values_before_of_many_permits_cost_little_more_than_the_permits() {
        Recorder<WatchRequest, WatchResponse> with = watch("many", true);
        Recorder<WatchRequest, WatchResponse> without = watch("many", false);
        long[] longer = new long[ROUNDS];
        long[] shorter = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            LockResponse held = node.locks.lock(LockRequest.newBuilder()
                    .setLeaseId(lease)
                    .setSeq(++seq)
                    .setAckedBelow(seq)
                    .addItems(Item.newBuilder()
                            .setKey("many")
                            .setKind(Kind.PERMITS)
                            .setCapacity(PERMITS)
                            .setCount(PERMITS))
                    .setPurpose("p")
                    .build());
            take(with);
            take(without);
            for (int i = 0; i < (round == 0 ? OTHERS : OTHERS / ROUNDS); i++) {
                release(hold("other", ""), "other");
            }
            long start = System.nanoTime();
            release(held, "many");
            take(without);
            shorter[round] = System.nanoTime() - start;
            assertThat(take(with).getPrevKv().getPurpose()).isEqualTo("p");
            longer[round] = System.nanoTime() - start;
        }
        assertThat(median(longer))
                .as("%s to %s ns", Arrays.toString(longer), Arrays.toString(shorter))
                .isLessThan(8 * median(shorter));
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
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

    /** Takes what is told of all permits; the last. */
    private static Event take(Recorder<WatchRequest, WatchResponse> watch) {
        int told = 0;
        WatchResponse response;
        do {
            response = watch.next();
            told += response.getEventsCount();
        } while (told < PERMITS);
        return response.getEvents(response.getEventsCount() - 1);
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
