package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveResponse;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import dev.holdfast.protocol.v1.PlanResponse;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is delivered is what the reader may see, by whatever way it is asked for. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliveryTest {
    private static final String ADA = SecuredNode.token("ada", "", Verb.ADMIN);
    private static final String ANN = SecuredNode.token("ann", "acme", Verb.LOCK);
    private static final String BOB = SecuredNode.token("bob", "acme", Verb.LOCK);
    private static final String OZ = SecuredNode.token("oz", "other", Verb.LOCK);

    private SecuredNode node;
    private final AtomicInteger sequence = new AtomicInteger();

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of());
    }

    @AfterAll
    void stop() {
        node.close();
    }

    private long lease(String token) {
        long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        var unused = node.locks(token)
                .leaseGrant(LeaseGrantRequest.newBuilder().setId(id).setTtl(600).build());
        return id;
    }

    private TryLockResponse lock(String token, long lease, String key) {
        return node.locks(token)
                .tryLock(TryLockRequest.newBuilder()
                        .setName(key)
                        .setLeaseId(lease)
                        .setSeq(sequence.incrementAndGet())
                        .build());
    }

    private static Code codeOf(Throwable failure) {
        return Errors.of(failure).map(Error::getCode).orElse(Code.OK);
    }

    private List<String> listed(String token, String tenant, String prefix, int page) {
        List<String> keys = new ArrayList<>();
        String from = "";
        do {
            ListResponse response = node.locks(token)
                    .list(ListRequest.newBuilder()
                            .setPrefix(prefix)
                            .setFrom(from)
                            .setLimit(page)
                            .build());
            response.getLocksList().stream().map(LockRecord::getKey).forEach(keys::add);
            from = response.getNext();
            // Where to go on is a key as well.
            assertThat(from).matches(tenant + "/.*|");
        } while (!from.isEmpty());
        return keys;
    }

    @Test
    void a_list_has_only_what_may_be_read_and_its_pages_lead_past_the_rest() {
        long ada = lease(ADA);
        for (String key : List.of(
                "aaa/list/1",
                "acme/list/a/1",
                "acme/list/a/2",
                "acme/list/b/1",
                "acme/list/c/1",
                "acmf/list/1",
                "zz/list/1")) {
            assertThat(lock(ADA, ada, key).getAcquired()).isTrue();
        }
        for (int page = 1; page <= 5; page++) {
            assertThat(listed(ANN, "acme", "", page).stream().filter(key -> key.contains("/list/")))
                    .containsExactly("acme/list/a/1", "acme/list/a/2", "acme/list/b/1", "acme/list/c/1");
            assertThat(listed(OZ, "other", "", page)).noneMatch(key -> key.startsWith("acme"));
            String some = SecuredNode.token("sam", "acme", "acme/list/b/", Verb.READ, Duration.ofMinutes(5));
            assertThat(listed(some, "acme", "acme/", page)).containsExactly("acme/list/b/1");
            assertThat(listed(some, "acme", "acme/list/c/", page)).isEmpty();
        }
    }

    @Test
    void a_watch_of_everything_delivers_only_what_may_be_read() {
        ConcurrentLinkedQueue<Event> seen = new ConcurrentLinkedQueue<>();
        AtomicReference<WatchResponse> created = new AtomicReference<>();
        StreamObserver<WatchRequest> watch = node.client(LockServiceStub.class, ANN)
                .watch(new StreamObserver<>() {
                    @Override
                    public void onNext(WatchResponse response) {
                        created.compareAndSet(null, response);
                        seen.addAll(response.getEventsList());
                    }

                    @Override
                    public void onError(Throwable failure) {}

                    @Override
                    public void onCompleted() {}
                });
        watch.onNext(WatchRequest.newBuilder()
                .setPrefix(true)
                .setAllEvents(true)
                .setPrevKv(true)
                .build());
        await().until(() -> created.get() != null);
        long ada = lease(ADA);
        assertThat(lock(ADA, ada, "other/watch/1").getAcquired()).isTrue();
        // One grant of a key that may be read and one that may not.
        assertThat(node.locks(ADA)
                        .lock(LockRequest.newBuilder()
                                .setLeaseId(ada)
                                .setSeq(sequence.incrementAndGet())
                                .addItems(Item.newBuilder().setKey("acme/watch/2"))
                                .addItems(Item.newBuilder().setKey("other/watch/2"))
                                .build())
                        .getAcquired())
                .isTrue();
        assertThat(lock(ADA, ada, "acme/watch/3").getAcquired()).isTrue();
        await().until(() ->
                seen.stream().anyMatch(event -> event.getKv().getKey().equals("acme/watch/3")));
        assertThat(seen).allSatisfy(event -> assertThat(event.getKv().getKey()).startsWith("acme/"));
        assertThat(seen).anySatisfy(event -> assertThat(event.getKv().getKey()).isEqualTo("acme/watch/2"));
        watch.onCompleted();
    }

    @Test
    void a_history_is_told_only_of_the_key_that_was_asked_for() {
        long ada = lease(ADA);
        var unused = node.locks(ADA)
                .lock(LockRequest.newBuilder()
                        .setLeaseId(ada)
                        .setSeq(sequence.incrementAndGet())
                        .addItems(Item.newBuilder().setKey("acme/history"))
                        .addItems(Item.newBuilder().setKey("other/history"))
                        .build());
        assertThat(node.locks(ANN)
                        .history(HistoryRequest.newBuilder()
                                .setName("acme/history")
                                .build())
                        .getEventsList())
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getKv().getKey()).isEqualTo("acme/history"));
    }

    @Test
    void whoever_blocks_from_a_key_that_may_not_be_read_is_not_named() {
        long ada = lease(ADA);
        var held = node.locks(ADA)
                .lock(LockRequest.newBuilder()
                        .setLeaseId(ada)
                        .setSeq(sequence.incrementAndGet())
                        .addItems(Item.newBuilder().setKey("blocked").setKind(Kind.SUBTREE))
                        .build());
        assertThat(held.getAcquired()).isTrue();
        String tenant = SecuredNode.token("ann", "blocked", Verb.LOCK);
        long lease = lease(tenant);
        TryLockResponse refused = lock(tenant, lease, "blocked/x");
        assertThat(refused.getCode()).isEqualTo(Code.LOCK_ALREADY_HELD);
        assertThat(refused.getBlockersList()).isEmpty();
        PlanResponse plan = node.locks(tenant)
                .plan(LockRequest.newBuilder()
                        .setName("blocked/x")
                        .setLeaseId(lease)
                        .setTimeoutMs(1_000)
                        .build());
        assertThat(plan.getVerdict()).isEqualTo(PlanResponse.Verdict.WOULD_WAIT);
        assertThat(plan.getBlockersList()).isEmpty();
        assertThat(lock(ADA, lease(ADA), "blocked/x").getBlockersList()).isNotEmpty();
    }

    @Test
    void a_lease_is_its_owners_alone() {
        long lease = lease(ANN);
        assertThat(lock(ANN, lease, "acme/own").getAcquired()).isTrue();
        LockServiceBlockingStub bob = node.locks(BOB);
        assertThat(codeOf(catchThrowable(() -> lock(BOB, lease, "acme/other")))).isEqualTo(Code.LEASE_NOT_FOUND);
        assertThat(codeOf(catchThrowable(() -> bob.unlock(UnlockRequest.newBuilder()
                        .setName("acme/own")
                        .setLeaseId(lease)
                        .build()))))
                .isEqualTo(Code.LEASE_NOT_FOUND);
        assertThat(codeOf(catchThrowable(() -> bob.leaseRevoke(
                        LeaseRevokeRequest.newBuilder().setId(lease).build()))))
                .isEqualTo(Code.LEASE_NOT_FOUND);
        assertThat(bob.leaseList(LeaseListRequest.getDefaultInstance()).getLeasesList())
                .noneMatch(found -> found.getId() == lease);
        assertThat(renewed(BOB, lease)).isZero();
        assertThat(renewed(ANN, lease)).isPositive();
    }

    private long renewed(String token, long lease) {
        CompletableFuture<LeaseKeepAliveResponse> answer = new CompletableFuture<>();
        StreamObserver<LeaseKeepAliveRequest> renewals = node.client(LockServiceStub.class, token)
                .leaseKeepAlive(new StreamObserver<>() {
                    @Override
                    public void onNext(LeaseKeepAliveResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {}

                    @Override
                    public void onCompleted() {}
                });
        renewals.onNext(LeaseKeepAliveRequest.newBuilder().setId(lease).build());
        long left = answer.orTimeout(20, TimeUnit.SECONDS).join().getTtlMs();
        renewals.onCompleted();
        return left;
    }

    @Test
    void a_lock_taken_by_force_says_who_took_it_whatever_the_request_says() {
        long lease = lease(ANN);
        long token = lock(ANN, lease, "acme/forced").getFencingToken();
        assertThat(node.client(AdminBlockingStub.class, SecuredNode.token("tia", "acme", Verb.ADMIN))
                        .forceRelease(ForceReleaseRequest.newBuilder()
                                .setName("acme/forced")
                                .setFencingToken(token)
                                .setBy("somebody else")
                                .setReason("a test")
                                .build())
                        .getReleased())
                .isTrue();
        assertThat(node.locks(ANN)
                        .history(HistoryRequest.newBuilder()
                                .setName("acme/forced")
                                .build())
                        .getEvents(0)
                        .getDetail())
                .contains("acme/tia")
                .doesNotContain("somebody else");
    }

    @Test
    void a_stream_ends_with_the_token_it_was_opened_by() {
        // Good for the skew that is allowed, and not much longer.
        String brief = SecuredNode.token("ann", "acme", "", Verb.LOCK, Duration.ofSeconds(-28));
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        StreamObserver<WatchRequest> watch = node.client(LockServiceStub.class, brief)
                .watch(new StreamObserver<>() {
                    @Override
                    public void onNext(WatchResponse response) {}

                    @Override
                    public void onError(Throwable failure) {
                        end.complete(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        watch.onNext(WatchRequest.newBuilder().setKey("acme/brief").build());
        Throwable ended = end.orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(codeOf(ended)).isEqualTo(Code.UNAVAILABLE);
        assertThat(ended).hasMessageContaining("expired");
    }
}
