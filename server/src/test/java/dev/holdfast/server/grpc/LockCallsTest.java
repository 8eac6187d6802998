package dev.holdfast.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DescribeResponse;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.EndReason;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.Hold;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UnlockResponse.Outcome;
import dev.holdfast.protocol.v1.UpgradeRequest;
import dev.holdfast.server.metrics.NodeMetrics;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockCallsTest {
    private final TestNode node = new TestNode();
    private final long lease = node.lease();
    private final long other = node.lease();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void free_lock_is_granted_with_token_and_ends() {
        LockResponse held = node.locks.lock(TestNode.request(lease, "a", 1)
                .setMaxHoldMs(5_000)
                .setPurpose("nightly run")
                .build());
        assertThat(held.getAcquired()).isTrue();
        assertThat(held.getCode()).isEqualTo(Code.OK);
        assertThat(held.getKey()).isEqualTo("a");
        assertThat(held.getFencingToken() & 0xFFFFFFFFFFFFL)
                .isEqualTo(held.getHeader().getRevision());
        assertThat(held.getHoldsList())
                .containsExactly(
                        Hold.newBuilder().setKey("a").setMode(Mode.EXCLUSIVE).build());
        assertThat(held.getHoldEndMs()).isEqualTo(held.getHeader().getClusterTimeMs() + 5_000);
        assertThat(held.getLeaseEndMs()).isPositive();
    }

    @Test
    void held_lock_is_an_answer_that_names_the_holder() {
        LockResponse held = node.hold(lease, "a", 1);
        LockResponse refused = node.locks.lock(TestNode.request(other, "a", 1).build());
        assertThat(refused.getAcquired()).isFalse();
        assertThat(refused.getCode()).isEqualTo(Code.LOCK_ALREADY_HELD);
        assertThat(refused.getBlockersList()).singleElement().satisfies(blocker -> {
            assertThat(blocker.getKey()).isEqualTo("a");
            assertThat(blocker.getFencingToken()).isEqualTo(held.getFencingToken());
        });
    }

    @Test
    void set_of_plain_subtree_and_permits_is_granted_at_once() {
        LockResponse held = node.locks.lock(LockRequest.newBuilder()
                .setLeaseId(lease)
                .setSeq(1)
                .addItems(Item.newBuilder().setKey("plain").setMode(Mode.SHARED))
                .addItems(Item.newBuilder().setKey("tree").setKind(Kind.SUBTREE))
                .addItems(Item.newBuilder().setKey("pool").setKind(Kind.PERMITS).setCapacity(3))
                .build());
        assertThat(held.getAcquired()).isTrue();
        assertThat(held.getHoldsList()).extracting(Hold::getKey).containsExactly("plain", "pool", "tree");
        assertThat(held.getHolds(1).getSlot()).isZero();
        assertThat(node.locks.tryLock(tryLock(other, "tree/below", 1).build()).getAcquired())
                .isFalse();
    }

    @Test
    void same_request_id_again_is_the_same_grant_and_an_ended_one_says_so() {
        LockResponse held = node.hold(lease, "a", 1);
        assertThat(node.hold(lease, "a", 1).getFencingToken()).isEqualTo(held.getFencingToken());
        unlock(lease, held);
        LockResponse ended = node.locks.lock(TestNode.request(lease, "a", 1).build());
        assertThat(ended.getAcquired()).isFalse();
        assertThat(ended.getCode()).isEqualTo(Code.GRANT_ENDED);
        assertThat(ended.getEnded()).isEqualTo(EndReason.RELEASED);
        TryLockResponse tried = node.locks.tryLock(tryLock(lease, "a", 1).build());
        assertThat(tried.getEnded()).isEqualTo(EndReason.RELEASED);
    }

    @Test
    void request_without_an_id_is_known_by_its_key() {
        LockResponse held = node.hold(lease, "a", 0);
        assertThat(node.hold(lease, "a", 0).getFencingToken()).isEqualTo(held.getFencingToken());
        assertThat(node.locks
                        .unlock(UnlockRequest.newBuilder()
                                .setLeaseId(lease)
                                .setName("a")
                                .build())
                        .getOutcome())
                .isEqualTo(Outcome.RELEASED);
    }

    @Test
    void try_lock_is_granted_or_refused_at_once() {
        assertThat(node.locks.tryLock(tryLock(lease, "a", 1).build()).getAcquired())
                .isTrue();
        TryLockResponse refused = node.locks.tryLock(tryLock(other, "a", 1).build());
        assertThat(refused.getCode()).isEqualTo(Code.LOCK_ALREADY_HELD);
        assertThat(refused.getStaleDenial()).isFalse();
        assertThat(refused.getBlockersCount()).isEqualTo(1);
    }

    @Test
    void stale_denial_proposes_nothing_and_never_grants() {
        node.hold(lease, "a", 1);
        node.log.behave(dev.holdfast.server.InstantLog.Behaviour.REFUSE);
        TryLockResponse denied = node.locks.tryLock(
                tryLock(other, "a", 1).setAllowStaleDenial(true).build());
        assertThat(denied.getAcquired()).isFalse();
        assertThat(denied.getStaleDenial()).isTrue();
        assertThat(denied.getCode()).isEqualTo(Code.LOCK_ALREADY_HELD);
        assertThat(denied.getBlockersCount()).isEqualTo(1);
        Failing.error(
                Code.NO_LEADER,
                () -> node.locks.tryLock(
                        tryLock(other, "b", 2).setAllowStaleDenial(true).build()));
    }

    @Test
    void stale_denial_spares_the_retry_of_what_was_granted() {
        TryLockRequest request =
                tryLock(lease, "a", 1).setAllowStaleDenial(true).build();
        TryLockResponse held = node.locks.tryLock(request);
        assertThat(node.locks.tryLock(request).getFencingToken()).isEqualTo(held.getFencingToken());
    }

    @Test
    void unlock_tells_whether_there_was_something_to_release() {
        LockResponse held = node.hold(lease, "a", 1);
        assertThat(unlock(lease, held)).isEqualTo(Outcome.RELEASED);
        assertThat(unlock(lease, held)).isEqualTo(Outcome.ALREADY_RELEASED);
    }

    @Test
    void another_leases_grant_cannot_be_released() {
        LockResponse held = node.hold(lease, "a", 1);
        long before = node.revision();
        Error error = Failing.error(Code.NOT_HOLDER, () -> unlock(other, held));
        assertThat(error.getSubject()).isEqualTo("a");
        assertThat(node.revision()).isEqualTo(before);
    }

    @Test
    void upgrade_gives_a_new_token_and_downgrade_keeps_it() {
        LockResponse shared = node.locks.lock(
                TestNode.request(lease, "a", 1).setMode(Mode.SHARED).build());
        LockResponse exclusive = node.locks.upgrade(UpgradeRequest.newBuilder()
                .setName("a")
                .setLeaseId(lease)
                .setFencingToken(shared.getFencingToken())
                .setSeq(2)
                .build());
        assertThat(exclusive.getFencingToken()).isGreaterThan(shared.getFencingToken());
        assertThat(exclusive.getHolds(0).getMode()).isEqualTo(Mode.EXCLUSIVE);
        LockResponse back = node.locks.downgrade(DowngradeRequest.newBuilder()
                .setName("a")
                .setLeaseId(lease)
                .setFencingToken(exclusive.getFencingToken())
                .build());
        assertThat(back.getAcquired()).isTrue();
        assertThat(back.getFencingToken()).isEqualTo(exclusive.getFencingToken());
        assertThat(back.getHolds(0).getMode()).isEqualTo(Mode.SHARED);
    }

    @Test
    void describing_a_grant_changes_its_metadata_and_keeps_its_token() {
        LockResponse held = node.hold(lease, "a", 1);
        DescribeResponse described = node.locks.describe(describe(lease, held, "half done"));
        assertThat(described.getFencingToken()).isEqualTo(held.getFencingToken());
        assertThat(described.getHeader().getRevision()).isEqualTo(node.revision());
        assertThat(metadataOf("a")).isEqualTo("half done");
        long before = node.revision();
        assertThat(node.locks.describe(describe(lease, held, "half done")).getFencingToken())
                .isEqualTo(held.getFencingToken());
        assertThat(node.revision()).as("the same again is no change").isEqualTo(before);
        Error foreign = Failing.error(Code.NOT_HOLDER, () -> node.locks.describe(describe(other, held, "mine")));
        assertThat(foreign.getSubject()).isEqualTo("a");
        assertThat(metadataOf("a")).isEqualTo("half done");
    }

    private static DescribeRequest describe(long lease, LockResponse held, String metadata) {
        return DescribeRequest.newBuilder()
                .setName(held.getKey())
                .setLeaseId(lease)
                .setFencingToken(held.getFencingToken())
                .setMetadata(ByteString.copyFromUtf8(metadata))
                .build();
    }

    private String metadataOf(String key) {
        return node.locks
                .get(GetRequest.newBuilder().setName(key).build())
                .getLock()
                .getHolders(0)
                .getMetadata()
                .toStringUtf8();
    }

    @Test
    void cancel_tells_what_it_found() {
        node.hold(lease, "a", 1);
        assertThat(cancel(1)).isEqualTo(CancelResponse.Was.GRANTED);
        assertThat(cancel(1)).isEqualTo(CancelResponse.Was.FINISHED);
        assertThat(cancel(2)).isEqualTo(CancelResponse.Was.NOT_ARRIVED);
        LockResponse late = node.locks.lock(TestNode.request(lease, "a", 2).build());
        assertThat(late.getCode()).isEqualTo(Code.CANCELLED);
        assertThat(late.getAcquired()).isFalse();
    }

    @Test
    void deadlock_fails_the_call_and_spells_the_cycle() {
        node.hold(lease, "a", 1);
        node.locks.lock(TestNode.request(lease, "a2", 2).setActor(1).build());
        node.locks.lock(TestNode.request(other, "b", 1).setActor(2).build());
        var waiting = node.futures()
                .lock(TestNode.request(lease, "b", 3)
                        .setActor(1)
                        .setTimeoutMs(-1)
                        .build());
        org.awaitility.Awaitility.await().until(() -> node.waiters("b") == 1);
        Error error = Failing.error(
                Code.DEADLOCK,
                () -> node.locks.lock(TestNode.request(other, "a2", 2)
                        .setActor(2)
                        .setTimeoutMs(-1)
                        .build()));
        assertThat(error.getSubject()).isEqualTo("a2");
        assertThat(error.getBlockersCount()).isPositive();
        assertThat(waiting.cancel(true)).isTrue();
    }

    @Test
    void metadata_and_purpose_come_back_in_the_record() {
        node.locks.lock(TestNode.request(lease, "a", 1)
                .setPurpose("p")
                .setMetadata(ByteString.copyFromUtf8("m"))
                .build());
        var record = node.locks
                .get(dev.holdfast.protocol.v1.GetRequest.newBuilder()
                        .setName("a")
                        .build())
                .getLock();
        assertThat(record.getHolders(0).getPurpose()).isEqualTo("p");
        assertThat(record.getHolders(0).getMetadata().toStringUtf8()).isEqualTo("m");
    }

    private CancelResponse.Was cancel(long seq) {
        return node.locks
                .cancel(CancelRequest.newBuilder().setLeaseId(lease).setSeq(seq).build())
                .getWas();
    }

    private Outcome unlock(long by, LockResponse held) {
        return node.locks
                .unlock(UnlockRequest.newBuilder()
                        .setLeaseId(by)
                        .setName(held.getKey())
                        .setFencingToken(held.getFencingToken())
                        .build())
                .getOutcome();
    }

    private static TryLockRequest.Builder tryLock(long lease, String key, long seq) {
        return TryLockRequest.newBuilder().setLeaseId(lease).setName(key).setSeq(seq);
    }

    private LockServiceBlockingStub tracing(String traceparent) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), traceparent);
        return node.locks.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    @Test
    void trace_that_its_caller_keeps_is_an_exemplar_of_how_long_calls_take() {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        GetRequest request = GetRequest.newBuilder().setName("a").build();
        for (String ignored : List.of(
                "", "00-" + trace + "-b7ad6b7169203331-00", "00-" + "0".repeat(32) + "-b7ad6b7169203331-01", "x")) {
            assertThat(tracing(ignored).get(request).getHeader().getRevision()).isPositive();
        }
        assertThat(tracing("00-" + trace + "-b7ad6b7169203331-01")
                        .get(request)
                        .getHeader()
                        .getRevision())
                .isPositive();
        // It is counted once the answer is written, which may have arrived by then.
        await().untilAsserted(() -> assertThat(figures("application/openmetrics-text"))
                .contains("holdfast_traced_calls_seconds_count 1 #")
                .containsPattern("holdfast_traced_calls_seconds_bucket.* # "
                        + "\\{span_id=\"b7ad6b7169203331\",trace_id=\"" + trace + "\"} \\d"));
        assertThat(figures("text/plain"))
                .contains("holdfast_traced_calls_seconds_count 1\n")
                .doesNotContain(trace);
    }

    private String figures(String accept) {
        NodeMetrics metrics = node.core.metrics();
        return new String(metrics.scrape(metrics.contentType(accept)), UTF_8);
    }
}
