package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.common.util.EventLoopGroups;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many watch the same keys, each over a stream of its own, while locks come and go. */
@Tag("slow")
@Timeout(180)
class WatchStormTest {
    /** Each has a share of the time. */
    private static final int CALLERS = 20;

    private static final String WORKER = SecuredNode.token("worker", "", Verb.LOCK);
    private static final long LEASE = 0x7001;

    @TempDir
    Path directory;

    private final Map<Long, Long> sentAt = new ConcurrentHashMap<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private long seq;

    private final class Watcher implements ClientResponseObserver<WatchRequest, WatchResponse> {
        final ConcurrentLinkedQueue<Long> revisions = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<Long> delays = new ConcurrentLinkedQueue<>();
        private final boolean lazy;
        private @Nullable ClientCallStreamObserver<WatchRequest> call;
        private volatile boolean created;
        private volatile @Nullable WatchResponse end;

        Watcher(boolean lazy) {
            this.lazy = lazy;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            call = stream;
            if (lazy) {
                stream.disableAutoRequestWithInitial(1);
            }
        }

        void open(LockServiceStub locks, String prefix) {
            locks.watch(this)
                    .onNext(WatchRequest.newBuilder()
                            .setKey(prefix)
                            .setPrefix(true)
                            .build());
        }

        void read(int responses) {
            if (call != null) {
                call.request(responses);
            }
        }

        @Override
        public void onNext(WatchResponse response) {
            created |= response.getCreated();
            for (Event event : response.getEventsList()) {
                revisions.add(event.getRevision());
                Long sent = sentAt.get(event.getKv().getFencingToken());
                if (sent != null && event.getType() == Event.Type.DELETE) {
                    delays.add(System.nanoTime() - sent);
                }
            }
            if (response.getCanceled()) {
                end = response;
            }
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }

    @Test
    void every_watcher_is_told_everything_in_order_and_soon() throws Exception {
        int count = 1_000;
        int pairs = 500;
        try (SecuredNode node = new SecuredNode(directory, Map.of());
                ClientFactory readers = factory()) {
            openAll(node, readers, count);
            await().atMost(Duration.ofSeconds(30)).until(() -> watchers.stream().allMatch(each -> each.created));
            LockServiceBlockingStub locks = worker(node);
            long start = System.nanoTime();
            for (int i = 0; i < pairs; i++) {
                pair(locks, "s/" + i, ByteString.EMPTY);
                waitUntil(start + i * 10_000_000L);
            }
            double perSecond = 2e9 * pairs / (System.nanoTime() - start);
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            watchers.stream().allMatch(each -> each.end != null || each.revisions.size() == 2 * pairs));
            List<Long> all = List.copyOf(watchers.get(0).revisions);
            assertThat(all).hasSize(2 * pairs).isSorted().doesNotHaveDuplicates();
            assertThat(watchers)
                    .allSatisfy(each -> assertThat(List.copyOf(each.revisions)).isEqualTo(all));
            long[] delays = watchers.stream()
                    .flatMap(each -> each.delays.stream())
                    .mapToLong(nanos -> nanos)
                    .sorted()
                    .toArray();
            System.out.printf(
                    "%d watchers of %d callers, %.0f events a second: from the request to its event, median %d ms, p99 %d ms%n",
                    count,
                    CALLERS,
                    perSecond,
                    delays[delays.length / 2] / 1_000_000,
                    delays[delays.length / 100 * 99] / 1_000_000);
        }
    }

    @Test
    void one_of_five_hundred_that_stops_reading_is_closed_and_learns_where_to_resume() throws Exception {
        int count = 499;
        int pairs = 2_500;
        try (SecuredNode node = new SecuredNode(directory, Map.of());
                ClientFactory readers = factory();
                ClientFactory own = ClientFactory.builder()
                        .http2InitialStreamWindowSize(65_535)
                        .http2InitialConnectionWindowSize(65_535)
                        .build()) {
            openAll(node, readers, count);
            Watcher stopped = new Watcher(true);
            stopped.open(node.client(LockServiceStub.class, reader(0), own), "s/");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> stopped.created && watchers.stream().allMatch(each -> each.created));
            LockServiceBlockingStub locks = worker(node);
            ByteString metadata = ByteString.copyFrom(new byte[4_000]);
            long start = System.nanoTime();
            for (int i = 0; i < pairs; i++) {
                pair(locks, "s/" + i, i % 5 == 0 ? metadata : ByteString.EMPTY);
                waitUntil(start + i * 4_000_000L);
            }
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            watchers.stream().allMatch(each -> each.end != null || each.revisions.size() == 2 * pairs));
            List<Long> all = List.copyOf(watchers.get(0).revisions);
            assertThat(all).hasSize(2 * pairs).isSorted().doesNotHaveDuplicates();
            assertThat(watchers)
                    .allSatisfy(each -> assertThat(List.copyOf(each.revisions)).isEqualTo(all));

            stopped.read(Integer.MAX_VALUE);
            await().until(() -> stopped.end != null);
            WatchResponse end = Objects.requireNonNull(stopped.end);
            assertThat(end.getError().getCode()).isEqualTo(Code.UNAVAILABLE);
            List<Long> some = List.copyOf(stopped.revisions);
            assertThat(some).isEqualTo(all.subList(0, some.size()));
            assertThat(end.getResumeRevision()).isEqualTo(all.get(some.size()));
        }
    }

    private void openAll(SecuredNode node, ClientFactory factory, int count) {
        for (int caller = 0; caller < CALLERS; caller++) {
            LockServiceStub stub = node.client(LockServiceStub.class, reader(caller), factory);
            while (watchers.size() < count * (caller + 1) / CALLERS) {
                Watcher watcher = new Watcher(false);
                watchers.add(watcher);
                watcher.open(stub, "s/");
            }
        }
    }

    private static String reader(int number) {
        return SecuredNode.token("reader" + number, "", Verb.READ);
    }

    private static void waitUntil(long due) {
        while (System.nanoTime() - due < 0) {
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }

    /** With threads of its own, and not those of the node. */
    private static ClientFactory factory() {
        return ClientFactory.builder()
                .workerGroup(EventLoopGroups.newEventLoopGroup(1), true)
                .build();
    }

    private static LockServiceBlockingStub worker(SecuredNode node) {
        LockServiceBlockingStub locks = node.locks(WORKER);
        var unused = locks.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(LEASE).setTtl(600).build());
        return locks;
    }

    private void pair(LockServiceBlockingStub locks, String key, ByteString metadata) {
        seq++;
        long token = locks.lock(LockRequest.newBuilder()
                        .setName(key)
                        .setLeaseId(LEASE)
                        .setSeq(seq)
                        .setAckedBelow(seq)
                        .setMetadata(metadata)
                        .build())
                .getFencingToken();
        sentAt.put(token, System.nanoTime());
        var unused = locks.unlock(UnlockRequest.newBuilder()
                .setName(key)
                .setLeaseId(LEASE)
                .setFencingToken(token)
                .build());
    }
}
