package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LeaseExtendRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveResponse;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UpgradeRequest;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTest {
    private static final String LONG_KEY = "k".repeat(513);
    private static final String HUGE_KEY = "k".repeat(5_000);

    private final TestNode node = new TestNode();
    private final long lease = node.lease();

    @AfterAll
    void stop() {
        node.close();
    }

    /** A call on a lease that exists. */
    interface Attempt extends BiConsumer<LockServiceBlockingStub, Long> {}

    private static Arguments row(String what, Code code, String subject, Attempt attempt) {
        return arguments(what, code, subject, attempt);
    }

    private static Arguments lock(String what, String subject, BiConsumer<LockRequest.Builder, Long> change) {
        return row(what, Code.INVALID_ARGUMENT, subject, (locks, lease) -> {
            LockRequest.Builder request =
                    LockRequest.newBuilder().setName("a").setLeaseId(lease).setSeq(1);
            change.accept(request, lease);
            locks.lock(request.build());
        });
    }

    private static Arguments grant(String what, Code code, String subject, LeaseGrantRequest.Builder request) {
        return row(what, code, subject, (locks, lease) -> locks.leaseGrant(request.build()));
    }

    static Stream<Arguments> badLocks() {
        return Stream.of(
                lock("empty name", "name", (request, lease) -> request.setName("")),
                lock("long name", "name", (request, lease) -> request.setName(LONG_KEY)),
                lock("name that no entry can carry", "name", (request, lease) -> request.setName(HUGE_KEY)),
                lock("lease 0", "lease_id", (request, lease) -> request.setLeaseId(0)),
                lock("name beside items", "name", (request, lease) -> request.addItems(item("b"))),
                lock(
                        "mode beside items",
                        "mode",
                        (request, lease) ->
                                request.clearName().addItems(item("b")).setMode(Mode.SHARED)),
                lock(
                        "empty key in a set",
                        "items.key",
                        (request, lease) -> request.clearName().addItems(item(""))),
                lock(
                        "long key in a set",
                        "items.key",
                        (request, lease) -> request.clearName().addItems(item(LONG_KEY))),
                lock(
                        "the same key twice",
                        "items",
                        (request, lease) ->
                                request.clearName().addItems(item("b")).addItems(item("b"))),
                lock(
                        "unknown kind",
                        "items.kind",
                        (request, lease) ->
                                request.clearName().addItems(item("b").setKindValue(9))),
                lock("unknown mode", "mode", (request, lease) -> request.setModeValue(9)),
                lock(
                        "shared permits",
                        "mode",
                        (request, lease) -> request.clearName()
                                .addItems(item("b")
                                        .setKind(Kind.PERMITS)
                                        .setCapacity(2)
                                        .setMode(Mode.SHARED))),
                lock(
                        "more permits than there are",
                        "count",
                        (request, lease) -> request.clearName()
                                .addItems(item("b")
                                        .setKind(Kind.PERMITS)
                                        .setCapacity(2)
                                        .setCount(3))),
                lock("timeout below -1", "timeout_ms", (request, lease) -> request.setTimeoutMs(-2)),
                lock(
                        "timeout beyond all bounds",
                        "timeout_ms",
                        (request, lease) -> request.setTimeoutMs(Long.MAX_VALUE)),
                lock("negative seq", "seq", (request, lease) -> request.setSeq(-1)),
                lock("negative max hold", "max_hold_ms", (request, lease) -> request.setMaxHoldMs(-1)),
                lock(
                        "endless wait that the lease is to cover",
                        "lease_covers_wait",
                        (request, lease) -> request.setTimeoutMs(-1).setLeaseCoversWait(true)),
                lock("long purpose", "purpose", (request, lease) -> request.setPurpose("p".repeat(257))),
                lock("huge purpose", "purpose", (request, lease) -> request.setPurpose("p".repeat(20_000))),
                lock(
                        "long metadata",
                        "metadata",
                        (request, lease) -> request.setMetadata(ByteString.copyFrom(new byte[4_097]))));
    }

    static Stream<Arguments> badCalls() {
        return Stream.of(
                row(
                        "unknown lease",
                        Code.LEASE_NOT_FOUND,
                        "lease_id",
                        (locks, lease) ->
                                locks.lock(TestNode.request(12345, "a", 1).build())),
                row(
                        "try-lock of an unknown lease",
                        Code.LEASE_NOT_FOUND,
                        "lease_id",
                        (locks, lease) -> locks.tryLock(TryLockRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(12345)
                                .setAllowStaleDenial(true)
                                .build())),
                row(
                        "unlock of an unknown lease",
                        Code.LEASE_NOT_FOUND,
                        "lease_id",
                        (locks, lease) -> locks.unlock(UnlockRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(12345)
                                .build())),
                row(
                        "unlock without a name",
                        Code.INVALID_ARGUMENT,
                        "name",
                        (locks, lease) -> locks.unlock(
                                UnlockRequest.newBuilder().setLeaseId(lease).build())),
                row(
                        "unlock by a token from the future",
                        Code.INVALID_ARGUMENT,
                        "fencing_token",
                        (locks, lease) -> locks.unlock(UnlockRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(lease)
                                .setFencingToken(Long.MAX_VALUE)
                                .build())),
                row(
                        "unlock by a negative token",
                        Code.INVALID_ARGUMENT,
                        "fencing_token",
                        (locks, lease) -> locks.unlock(UnlockRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(lease)
                                .setFencingToken(-1)
                                .build())),
                row(
                        "upgrade without a seq",
                        Code.INVALID_ARGUMENT,
                        "seq",
                        (locks, lease) -> locks.upgrade(UpgradeRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(lease)
                                .build())),
                row(
                        "upgrade of nothing",
                        Code.NOT_HOLDER,
                        "a",
                        (locks, lease) -> locks.upgrade(UpgradeRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(lease)
                                .setSeq(1)
                                .setFencingToken(1)
                                .build())),
                row(
                        "upgrade with a timeout below -1",
                        Code.INVALID_ARGUMENT,
                        "timeout_ms",
                        (locks, lease) -> locks.upgrade(UpgradeRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(lease)
                                .setTimeoutMs(-2)
                                .build())),
                row(
                        "downgrade of nothing",
                        Code.NOT_HOLDER,
                        "a",
                        (locks, lease) -> locks.downgrade(DowngradeRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(lease)
                                .setFencingToken(1)
                                .build())),
                row(
                        "description of nothing",
                        Code.NOT_HOLDER,
                        "a",
                        (locks, lease) -> locks.describe(DescribeRequest.newBuilder()
                                .setName("a")
                                .setLeaseId(lease)
                                .setFencingToken(1)
                                .build())),
                row(
                        "description without a lease",
                        Code.INVALID_ARGUMENT,
                        "lease_id",
                        (locks, lease) -> locks.describe(
                                DescribeRequest.newBuilder().setName("a").build())),
                row(
                        "cancel without a seq",
                        Code.INVALID_ARGUMENT,
                        "seq",
                        (locks, lease) -> locks.cancel(
                                CancelRequest.newBuilder().setLeaseId(lease).build())),
                row(
                        "cancel far ahead",
                        Code.WINDOW_FULL,
                        "seq",
                        (locks, lease) -> locks.cancel(CancelRequest.newBuilder()
                                .setLeaseId(lease)
                                .setSeq(1_000_000)
                                .build())),
                row(
                        "get without a name",
                        Code.INVALID_ARGUMENT,
                        "name",
                        (locks, lease) -> locks.get(GetRequest.getDefaultInstance())),
                row(
                        "history without a name",
                        Code.INVALID_ARGUMENT,
                        "name",
                        (locks, lease) -> locks.history(HistoryRequest.getDefaultInstance())),
                row(
                        "list with a negative limit",
                        Code.INVALID_ARGUMENT,
                        "limit",
                        (locks, lease) ->
                                locks.list(ListRequest.newBuilder().setLimit(-1).build())),
                row(
                        "explain of an unknown lease",
                        Code.LEASE_NOT_FOUND,
                        "lease_id",
                        (locks, lease) -> locks.explain(
                                ExplainRequest.newBuilder().setLeaseId(12345).build())),
                row(
                        "explain of no lease",
                        Code.INVALID_ARGUMENT,
                        "lease_id",
                        (locks, lease) -> locks.explain(ExplainRequest.getDefaultInstance())));
    }

    static Stream<Arguments> badLeases() {
        return Stream.of(
                grant("no ttl", Code.INVALID_ARGUMENT, "ttl", LeaseGrantRequest.newBuilder()),
                grant(
                        "negative ttl",
                        Code.INVALID_ARGUMENT,
                        "ttl",
                        LeaseGrantRequest.newBuilder().setTtl(-1)),
                grant(
                        "negative ttl in millis",
                        Code.INVALID_ARGUMENT,
                        "ttl",
                        LeaseGrantRequest.newBuilder().setTtlMs(-1)),
                grant(
                        "ttl that overflows",
                        Code.INVALID_ARGUMENT,
                        "ttl",
                        LeaseGrantRequest.newBuilder().setTtl(Long.MAX_VALUE)),
                grant(
                        "huge ttl",
                        Code.INVALID_ARGUMENT,
                        "ttl_ms",
                        LeaseGrantRequest.newBuilder().setTtlMs(Long.MAX_VALUE)),
                grant(
                        "negative lock-delay",
                        Code.INVALID_ARGUMENT,
                        "lock_delay_ms",
                        LeaseGrantRequest.newBuilder().setTtl(10).setLockDelayMs(-1)),
                grant(
                        "long client id",
                        Code.INVALID_ARGUMENT,
                        "client_id",
                        LeaseGrantRequest.newBuilder().setTtl(10).setClientId("c".repeat(257))),
                grant(
                        "huge client id",
                        Code.INVALID_ARGUMENT,
                        "client_id",
                        LeaseGrantRequest.newBuilder().setTtl(10).setClientId("ü".repeat(10_000))),
                row(
                        "revoke of lease 0",
                        Code.INVALID_ARGUMENT,
                        "id",
                        (locks, lease) -> locks.leaseRevoke(LeaseRevokeRequest.getDefaultInstance())),
                row(
                        "revoke of an unknown lease",
                        Code.LEASE_NOT_FOUND,
                        "id",
                        (locks, lease) -> locks.leaseRevoke(
                                LeaseRevokeRequest.newBuilder().setId(12345).build())),
                row(
                        "extension by nothing",
                        Code.INVALID_ARGUMENT,
                        "additional_ms",
                        (locks, lease) -> locks.leaseExtend(
                                LeaseExtendRequest.newBuilder().setId(lease).build())),
                row(
                        "extension by some time and from now",
                        Code.INVALID_ARGUMENT,
                        "ttl_ms",
                        (locks, lease) -> locks.leaseExtend(LeaseExtendRequest.newBuilder()
                                .setId(lease)
                                .setAdditionalMs(1_000)
                                .setTtlMs(1_000)
                                .build())),
                row(
                        "extension beyond the longest TTL",
                        Code.QUOTA_EXCEEDED,
                        "TTL_MAX_MILLIS",
                        (locks, lease) -> locks.leaseExtend(LeaseExtendRequest.newBuilder()
                                .setId(lease)
                                .setTtlMs(86_400_001)
                                .build())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"badLocks", "badCalls", "badLeases"})
    void is_refused_by_name_and_changes_nothing(String what, Code code, String subject, Attempt attempt) {
        // A lease of its own: what a request id was answered is remembered.
        long fresh = node.lease();
        long before = node.revision();
        Error error = Failing.error(code, () -> attempt.accept(node.locks, fresh));
        assertThat(error.getSubject()).isEqualTo(subject);
        assertThat(error.getMessage()).contains(subject);
        assertThat(node.revision()).isEqualTo(before);
        assertThat(node.core.listeners())
                .as("a refused request leaves no listener")
                .satisfies(Listening::nobody);
    }

    @Test
    void refusal_names_the_value_and_the_limit() {
        Error error = Failing.error(
                Code.INVALID_ARGUMENT,
                () -> node.locks.lock(TestNode.request(lease, HUGE_KEY, 1).build()));
        assertThat(error.getLimit()).isEqualTo(512);
        assertThat(error.getActual()).isEqualTo(5_000);
        assertThat(error.getMessage())
                .isEqualTo("name: 5000 is out of bounds, the limit is 512 (correct the named field)");
    }

    @Test
    void more_items_than_an_entry_can_carry_are_refused() {
        LockRequest.Builder request = LockRequest.newBuilder().setLeaseId(lease).setSeq(1);
        for (int i = 0; i < 2_000; i++) {
            request.addItems(item("k" + i));
        }
        Error error = Failing.error(Code.INVALID_ARGUMENT, () -> node.locks.lock(request.build()));
        assertThat(error.getSubject()).isEqualTo("items");
        assertThat(error.getLimit()).isEqualTo(64);
    }

    @Test
    void keep_alive_of_lease_0_ends_its_stream() {
        Recorder<LeaseKeepAliveRequest, LeaseKeepAliveResponse> answers = Recorder.eager();
        node.streams().leaseKeepAlive(answers).onNext(LeaseKeepAliveRequest.getDefaultInstance());
        assertThat(Failing.error(Code.INVALID_ARGUMENT, answers.failure()).getSubject())
                .isEqualTo("id");
    }

    private static Item.Builder item(String key) {
        return Item.newBuilder().setKey(key);
    }
}
