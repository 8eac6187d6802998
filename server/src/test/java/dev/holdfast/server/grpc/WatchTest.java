package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.client.ClientFactory;
import dev.holdfast.consensus.Replica;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DescribeResponse;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.EndReason;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UpgradeRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.replica.Entry;
import dev.holdfast.server.replica.LockReplica;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTest {
    private final TestNode node = new TestNode();
    private final long lease = node.lease();
    private final Recorder<WatchRequest, WatchResponse> watch = Recorder.eager();
    private final StreamObserver<WatchRequest> stream = node.streams().watch(watch);

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void key_is_watched_from_now_on() {
        node.hold(lease, "a", 1);
        WatchResponse created = open(key("b", 1));
        assertThat(created.getHeader().getRevision()).isEqualTo(node.revision());
        assertThat(created.getResumeRevision()).isEqualTo(node.revision() + 1);
        node.hold(lease, "c", 2);
        LockResponse held = node.locks.lock(TestNode.request(lease, "b", 3)
                .setPurpose("p")
                .setMetadata(ByteString.copyFromUtf8("m"))
                .build());
        WatchResponse response = watch.next();
        assertThat(response.getWatchId()).isEqualTo(1);
        assertThat(response.getResumeRevision()).isEqualTo(held.getHeader().getRevision() + 1);
        assertThat(response.getEventsList()).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo(Event.Type.PUT);
            assertThat(event.getWhat()).isEqualTo(Event.What.GRANTED);
            assertThat(event.getRevision()).isEqualTo(held.getHeader().getRevision());
            assertThat(event.getKv().getKey()).isEqualTo("b");
            assertThat(event.getKv().getFencingToken()).isEqualTo(held.getFencingToken());
            assertThat(event.getKv().getPurpose()).isEqualTo("p");
            assertThat(event.getKv().getMetadata().toStringUtf8()).isEqualTo("m");
            assertThat(event.getKv().getLeaseId()).as("a secret").isZero();
            assertThat(event.hasPrevKv()).isFalse();
        });
    }

    @Test
    void prefix_gets_all_keys_of_a_grant_that_it_matches_in_one_response() {
        open(key("p/", 1).setPrefix(true));
        node.locks.lock(LockRequest.newBuilder()
                .setLeaseId(lease)
                .setSeq(1)
                .addItems(Item.newBuilder().setKey("p/1"))
                .addItems(Item.newBuilder().setKey("p/2"))
                .addItems(Item.newBuilder().setKey("other"))
                .build());
        WatchResponse response = watch.next();
        assertThat(response.getEventsList())
                .extracting(event -> event.getKv().getKey())
                .containsExactly("p/1", "p/2");
        assertThat(response.getEvents(0).getRevision())
                .isEqualTo(response.getEvents(1).getRevision());
    }

    @Test
    void watch_from_a_revision_delivers_the_past_then_the_present_without_gap_or_repetition() {
        List<Long> revisions = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            revisions.add(node.hold(lease, "p/" + i, i).getHeader().getRevision());
        }
        open(key("p/", 1).setPrefix(true).setStartRevision(revisions.get(1)));
        for (int i = 6; i <= 8; i++) {
            revisions.add(node.hold(lease, "p/" + i, i).getHeader().getRevision());
        }
        assertThat(take(7)).extracting(Event::getRevision).containsExactlyElementsOf(revisions.subList(1, 8));
    }

    @Test
    void end_of_a_grant_carries_its_reason_and_the_value_before_on_request() {
        LockResponse held = node.locks.lock(TestNode.request(lease, "a", 1)
                .setPurpose("p")
                .setMetadata(ByteString.copyFromUtf8("m"))
                .build());
        open(key("a", 1).setPrevKv(true));
        release(held);
        Event event = take(1).get(0);
        assertThat(event.getType()).isEqualTo(Event.Type.DELETE);
        assertThat(event.getReason()).isEqualTo(EndReason.RELEASED);
        assertThat(event.getPrevKv().getPurpose()).isEqualTo("p");
        assertThat(event.getPrevKv().getMetadata().toStringUtf8()).isEqualTo("m");
        assertThat(event.getPrevKv().getFencingToken()).isEqualTo(held.getFencingToken());
        assertThat(event.getPrevKv().getMode()).isEqualTo(Mode.EXCLUSIVE);
    }

    @Test
    void change_of_mode_shows_mode_and_token_before_and_what_the_grant_carries() {
        LockResponse shared = node.locks.lock(TestNode.request(lease, "a", 1)
                .setMode(Mode.SHARED)
                .setPurpose("p")
                .build());
        open(key("a", 1).setPrevKv(true));
        LockResponse exclusive = node.locks.upgrade(UpgradeRequest.newBuilder()
                .setName("a")
                .setLeaseId(lease)
                .setFencingToken(shared.getFencingToken())
                .setSeq(2)
                .build());
        node.locks.downgrade(DowngradeRequest.newBuilder()
                .setName("a")
                .setLeaseId(lease)
                .setFencingToken(exclusive.getFencingToken())
                .build());
        release(exclusive);
        List<Event> events = take(3);
        Event up = events.get(0);
        assertThat(up.getWhat()).isEqualTo(Event.What.MODE_CHANGED);
        assertThat(up.getKv().getMode()).isEqualTo(Mode.EXCLUSIVE);
        assertThat(up.getKv().getPurpose()).isEqualTo("p");
        assertThat(up.getPrevKv().getMode()).isEqualTo(Mode.SHARED);
        assertThat(up.getPrevKv().getFencingToken()).isEqualTo(shared.getFencingToken());
        Event down = events.get(1);
        assertThat(down.getKv().getMode()).isEqualTo(Mode.SHARED);
        assertThat(down.getPrevKv().getMode()).isEqualTo(Mode.EXCLUSIVE);
        assertThat(down.getPrevKv().getPurpose()).isEqualTo("p");
        Event end = events.get(2);
        assertThat(end.getPrevKv().getMode()).isEqualTo(Mode.SHARED);
        assertThat(end.getPrevKv().getFencingToken()).isEqualTo(exclusive.getFencingToken());
        assertThat(end.getPrevKv().getPurpose()).isEqualTo("p");
    }

    @Test
    void description_is_shown_with_what_the_grant_said_before() {
        LockResponse shared = node.locks.lock(TestNode.request(lease, "a", 1)
                .setMode(Mode.SHARED)
                .setPurpose("p")
                .setMetadata(ByteString.copyFromUtf8("m1"))
                .build());
        open(key("a", 1).setPrevKv(true));
        describe(shared, "m2");
        describe(shared, "m3");
        LockResponse exclusive = node.locks.upgrade(UpgradeRequest.newBuilder()
                .setName("a")
                .setLeaseId(lease)
                .setFencingToken(shared.getFencingToken())
                .setSeq(2)
                .build());
        release(exclusive);
        List<Event> events = take(4);
        assertThat(events.get(0).getType()).isEqualTo(Event.Type.PUT);
        assertThat(events.get(0).getWhat()).isEqualTo(Event.What.DESCRIBED);
        assertThat(events.get(0).getKv().getFencingToken()).isEqualTo(shared.getFencingToken());
        assertThat(events.get(0).getKv().getPurpose()).isEqualTo("p");
        assertThat(events)
                .extracting(event -> event.getKv().getMetadata().toStringUtf8())
                .containsExactly("m2", "m3", "m3", "");
        assertThat(events)
                .extracting(event -> event.getPrevKv().getMetadata().toStringUtf8())
                .containsExactly("m1", "m2", "m3", "m3");
    }

    @Test
    void description_is_shown_without_the_value_before_where_that_is_not_asked_for() {
        LockResponse held = node.hold(lease, "a", 1);
        open(key("a", 1));
        describe(held, "m");
        Event event = take(1).get(0);
        assertThat(event.getWhat()).isEqualTo(Event.What.DESCRIBED);
        assertThat(event.getKv().getMetadata().toStringUtf8()).isEqualTo("m");
        assertThat(event.hasPrevKv()).isFalse();
    }

    private void describe(LockResponse held, String metadata) {
        DescribeResponse described = node.locks.describe(DescribeRequest.newBuilder()
                .setName("a")
                .setLeaseId(lease)
                .setFencingToken(held.getFencingToken())
                .setMetadata(ByteString.copyFromUtf8(metadata))
                .build());
        assertThat(described.getFencingToken()).isEqualTo(held.getFencingToken());
    }

    @Test
    void queueing_and_leaving_are_shown_only_where_asked_for() {
        node.hold(lease, "a", 1);
        open(key("a", 1));
        open(key("a", 2).setAllEvents(true));
        long waiter = node.lease();
        node.locks.lock(TestNode.request(waiter, "a", 1).setTimeoutMs(30).build());
        WatchResponse queued = watch.next();
        assertThat(queued.getWatchId()).isEqualTo(2);
        assertThat(queued.getEvents(0).getWhat()).isEqualTo(Event.What.QUEUED);
        assertThat(queued.getEvents(0).getType()).isEqualTo(Event.Type.OTHER);
        WatchResponse left = watch.next();
        assertThat(left.getWatchId()).isEqualTo(2);
        assertThat(left.getEvents(0).getWhat()).isEqualTo(Event.What.LEFT);
        assertThat(left.getEvents(0).getReason()).isEqualTo(EndReason.WAIT_TIMEOUT);
    }

    @Test
    void watch_of_what_is_gone_is_canceled_and_says_from_where_on_it_is_not() {
        node.set(Limit.HISTORY_EVENTS, 16);
        for (int i = 1; i <= 20; i++) {
            node.hold(lease, "k" + i, i);
        }
        assertThat(open(key("k", 1).setPrefix(true).setStartRevision(1)).getCreated())
                .isTrue();
        WatchResponse compacted = watch.next();
        assertThat(compacted.getCanceled()).isTrue();
        assertThat(compacted.getError().getCode()).isEqualTo(Code.COMPACTED);
        assertThat(compacted.getCompactRevision()).isEqualTo(node.revision() - 15);
        assertThat(open(key("k", 1).setPrefix(true)).hasError())
                .as("the id is free again")
                .isFalse();
    }

    @Test
    void watch_goes_on_without_a_gap_when_the_node_takes_over_the_state_of_another() throws IOException {
        open(key("b", 1));
        LockReplica ahead = new LockReplica(role -> {}, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
        long term = node.core.replica().appliedTerm();
        long index = node.core.replica().appliedIndex();
        ahead.load(term, index, snapshot(node.core.replica()));
        LeaseId holder = new LeaseId(4711);
        List<Command> commands = List.of(
                new Command.GrantLease(holder, "p", "c", 60_000, 0),
                Command.Acquire.of(holder, "p", 1, 0, List.of(dev.holdfast.core.Item.exclusive(LockKey.of("b")))));
        ahead.apply(term, index + 1, new Entry(1, 1, Batch.of(term, ahead.now(), 0, commands)).encode());
        node.core.replica().load(term, index + 1, snapshot(ahead));
        assertThat(take(1)).extracting(Event::getType).containsExactly(Event.Type.PUT);
    }

    private static InputStream snapshot(LockReplica replica) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Replica.Cut cut = replica.cut()) {
            for (byte[] frame = cut.next(); frame != null; frame = cut.next()) {
                bytes.writeBytes(frame);
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    @Test
    void watch_of_another_epoch_is_compacted() {
        long revision = node.hold(lease, "a", 1).getHeader().getRevision();
        open(key("a", 1).setStartRevision(revision).setStartEpoch(77));
        assertThat(watch.next().getError().getCode()).isEqualTo(Code.COMPACTED);
    }

    @Test
    void watch_of_the_first_epoch_or_of_none_is_compacted_after_a_restore() throws IOException {
        node.restore();
        open(key("a", 1).setStartRevision(node.revision() + 1).setStartEpoch(0));
        assertThat(watch.next().getError().getCode()).isEqualTo(Code.COMPACTED);
        open(key("a", 2).setStartRevision(node.revision() + 1));
        WatchResponse bare = watch.next();
        assertThat(bare.getError().getCode()).isEqualTo(Code.COMPACTED);
        assertThat(bare.getError().getMessage()).contains("without its epoch", "use a cursor");
        assertThat(bare.getCompactRevision()).isPositive();
        assertThat(bare.getCursor()).startsWith("1-");
        open(key("a", 3).setCursor(bare.getCursor()));
        node.hold(node.lease(), "a", 1);
        assertThat(take(1)).extracting(Event::getType).containsExactly(Event.Type.PUT);
    }

    @Test
    void a_cursor_continues_where_it_was_given_and_is_refused_after_a_restore() throws IOException {
        String begun = open(key("a", 1)).getCursor();
        node.hold(lease, "a", 1);
        String behind = watch.next().getCursor();
        assertThat(behind).isEqualTo("0-" + node.revision());
        open(key("a", 2).setCursor(begun));
        assertThat(take(1)).extracting(Event::getType).containsExactly(Event.Type.PUT);
        assertThat(open(key("a", 3).setCursor("7")).getError().getSubject()).isEqualTo("cursor");
        node.restore();
        // The live ones are cut off first: what they have seen may not have happened.
        assertThat(watch.next().getError().getCode()).isEqualTo(Code.COMPACTED);
        assertThat(watch.next().getError().getCode()).isEqualTo(Code.COMPACTED);
        open(key("a", 4).setCursor(behind));
        Error gone = watch.next().getError();
        assertThat(gone.getCode()).isEqualTo(Code.COMPACTED);
        assertThat(gone.getMessage()).contains("is of epoch 0");
    }

    @Test
    void watch_ahead_of_the_node_waits_for_it_to_catch_up() {
        long start = node.revision() + 3;
        open(key("k", 1).setPrefix(true).setStartRevision(start));
        for (int i = 1; i <= 4; i++) {
            node.hold(lease, "k" + i, i);
        }
        assertThat(take(2)).extracting(Event::getRevision).containsExactly(start, start + 1);
    }

    @Test
    void watch_that_stays_ahead_is_canceled_and_not_compacted() {
        long start = node.revision() + 1_000;
        open(key("k", 1).setStartRevision(start));
        WatchResponse canceled = watch.next();
        assertThat(canceled.getCanceled()).isTrue();
        assertThat(canceled.getError().getCode()).isEqualTo(Code.UNAVAILABLE);
        assertThat(canceled.getCompactRevision()).isZero();
        assertThat(canceled.getResumeRevision()).isEqualTo(start);
    }

    @Test
    void progress_is_told_though_nothing_happens() {
        open(key("quiet", 1).setProgressNotify(true));
        long revision = node.hold(lease, "loud", 1).getHeader().getRevision();
        WatchResponse progress = watch.next(response -> response.getResumeRevision() == revision + 1);
        assertThat(progress.getEventsList()).isEmpty();
        assertThat(progress.getWatchId()).isEqualTo(1);
    }

    @Test
    void canceled_watch_says_no_more_while_others_go_on() {
        open(key("a", 1));
        open(key("a", 2));
        stream.onNext(WatchRequest.newBuilder().setWatchId(1).setCancel(true).build());
        WatchResponse canceled = watch.next();
        assertThat(canceled.getCanceled()).isTrue();
        assertThat(canceled.getWatchId()).isEqualTo(1);
        assertThat(canceled.hasError()).isFalse();
        node.hold(lease, "a", 1);
        assertThat(watch.next().getWatchId()).isEqualTo(2);
        stream.onNext(WatchRequest.newBuilder().setWatchId(1).setCancel(true).build());
        WatchResponse unknown = watch.next();
        assertThat(unknown.getError().getCode()).isEqualTo(Code.NOT_FOUND);
        assertThat(unknown.getError().getSubject()).isEqualTo("watch_id");
    }

    @Test
    void bad_watches_are_refused_one_by_one_and_the_stream_goes_on() {
        open(key("a", 1));
        assertRefused(key("a", 1), "watch_id");
        assertRefused(key("", 2), "key");
        assertRefused(key("k".repeat(2_000), 2), "key");
        assertRefused(key("a", 2).setStartRevision(-1), "start_revision");
        node.hold(lease, "a", 1);
        assertThat(watch.next().getEventsCount()).isEqualTo(1);
    }

    @Test
    void number_of_watches_on_a_stream_is_bounded() {
        for (int id = 1; id <= Watches.MAX_WATCHES; id++) {
            stream.onNext(key("a", id).build());
        }
        stream.onNext(key("a", 5_000).build());
        WatchResponse refused = watch.next(WatchResponse::getCanceled);
        assertThat(refused.getWatchId()).isEqualTo(5_000);
        assertThat(refused.getError().getCode()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(refused.getError().getLimit()).isEqualTo(Watches.MAX_WATCHES);
        assertThat(node.core.watches().watches()).isEqualTo(Watches.MAX_WATCHES);
        assertThat(node.edge.watchStreams()).isEqualTo(1);
        watch.cancel();
        await().until(() -> node.core.watches().watches() == 0 && node.edge.watchStreams() == 0);
    }

    @Test
    void half_closed_stream_keeps_its_watches_and_ends_with_the_last() {
        open(key("a", 1));
        stream.onCompleted();
        node.hold(lease, "a", 1);
        assertThat(take(1)).hasSize(1);
        Recorder<WatchRequest, WatchResponse> ending = Recorder.eager();
        StreamObserver<WatchRequest> other = node.streams().watch(ending);
        other.onNext(key("b", 1).setStartRevision(node.revision() + 1_000).build());
        other.onCompleted();
        assertThat(ending.next().getCreated()).isTrue();
        assertThat(ending.next().getCanceled()).isTrue();
        ending.awaitCompletion();
    }

    @Test
    void reader_that_does_not_keep_up_loses_its_watch_and_can_resume_while_another_goes_on() {
        try (ClientFactory own = ClientFactory.builder()
                .http2InitialStreamWindowSize(65_535)
                .http2InitialConnectionWindowSize(65_535)
                .build()) {
            Recorder<WatchRequest, WatchResponse> slow = Recorder.lazy();
            node.client(LockServiceStub.class, own)
                    .watch(slow)
                    .onNext(key("p/", 1).setPrefix(true).build());
            slow.read(1);
            assertThat(slow.next().getCreated()).isTrue();
            open(key("p/", 2).setPrefix(true));
            ByteString metadata = ByteString.copyFrom(new byte[4_096]);
            int grants = 300;
            for (int i = 1; i <= grants; i++) {
                node.locks.lock(TestNode.request(lease, "p/" + i, i)
                        .setMetadata(metadata)
                        .build());
            }
            List<Event> all = take(grants);
            slow.read(Integer.MAX_VALUE);
            List<Event> some = new ArrayList<>();
            WatchResponse last = slow.next();
            while (!last.getCanceled()) {
                some.addAll(last.getEventsList());
                last = slow.next();
            }
            assertThat(last.getError().getCode()).isEqualTo(Code.UNAVAILABLE);
            assertThat(last.getError().getMessage()).contains("did not keep up");
            assertThat(some).hasSizeLessThan(grants);
            assertThat(some)
                    .extracting(Event::getRevision)
                    .containsExactlyElementsOf(all.subList(0, some.size()).stream()
                            .map(Event::getRevision)
                            .toList());
            assertThat(last.getResumeRevision()).isEqualTo(all.get(some.size()).getRevision());
        }
    }

    private void assertRefused(WatchRequest.Builder request, String subject) {
        WatchResponse refused = open(request);
        assertThat(refused.getCanceled()).isTrue();
        assertThat(refused.getError().getCode()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(refused.getError().getSubject()).isEqualTo(subject);
    }

    private WatchResponse open(WatchRequest.Builder request) {
        stream.onNext(request.build());
        return watch.next(response -> response.getCreated() && response.getWatchId() == request.getWatchId());
    }

    private List<Event> take(int count) {
        List<Event> events = new ArrayList<>();
        while (events.size() < count) {
            events.addAll(watch.next().getEventsList());
        }
        return events;
    }

    private void release(LockResponse held) {
        node.locks.unlock(UnlockRequest.newBuilder()
                .setLeaseId(lease)
                .setName(held.getKey())
                .setFencingToken(held.getFencingToken())
                .build());
    }

    private static WatchRequest.Builder key(String key, long id) {
        return WatchRequest.newBuilder().setKey(key).setWatchId(id);
    }
}
