package dev.holdfast.chaos;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LeaseExtendRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveRequest;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UpgradeRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.server.operation.Operation;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** One who asks for what costs most, of every operation, and is within every limit. */
final class Hostility {
    private static final long TTL_MILLIS = 3_600_000;
    private static final int KEYS = 64;
    private static final int PERMITS = 10_000;
    private static final String LONG_KEY = "x".repeat(480);
    private static final ByteString METADATA = ByteString.copyFrom(new byte[4_000]);
    private static final String CROWDED = "hostile/crowded";

    private final String address;
    private final LockServiceBlockingStub stub;
    private final Clients clients;
    private SessionClient session;
    private final HttpClient http = HttpClient.newHttpClient();
    private final HostileAnswers answers;
    private final HostileDoors doors;
    private final SplittableRandom random;
    private final long lease;
    private long seq;

    /** Asks for something once. */
    interface Attempt {
        void make() throws IOException, InterruptedException;
    }

    /** Takes what it asks about later: very many waiters of one lease for one key, and very many keys. */
    Hostility(Clients clients, String address, long lease, int waiters, HostileAnswers answers)
            throws IOException, InterruptedException {
        this.clients = clients;
        this.address = address;
        this.answers = answers;
        this.doors = new HostileDoors(address, CROWDED, lease, answers);
        this.stub = clients.locks(address);
        this.session = new SessionClient(clients, address, "hostile");
        this.lease = lease;
        this.random = new SplittableRandom(lease);
        session.ask(ClientMessage.newBuilder()
                .setLeaseGrant(LeaseGrantRequest.newBuilder().setId(lease).setTtlMs(TTL_MILLIS)));
        for (int i = 0; i < waiters; i++) {
            session.tell(ClientMessage.newBuilder()
                    .setAcquire(LockRequest.newBuilder()
                            .setName(CROWDED)
                            .setLeaseId(lease)
                            .setSeq(++seq)
                            .setAckedBelow(seq)
                            .setActor(i + 1)
                            .setTimeoutMs(-1)));
            session.tell(ClientMessage.newBuilder()
                    .setAcquire(LockRequest.newBuilder()
                            .setName("hostile/tree/" + lease + "/" + i)
                            .setLeaseId(lease)
                            .setSeq(++seq)
                            .setAckedBelow(seq)));
        }
        // Behind all of them.
        session.ask(ClientMessage.newBuilder().setRenew(Renew.newBuilder().addLeaseIds(lease)));
        session.take();
    }

    /** All that is asked for, by name: each operation that is not for operators, and what there is beside gRPC. */
    Map<String, Attempt> attempts() {
        Map<String, Attempt> attempts = new LinkedHashMap<>();
        for (Operation operation : Operation.values()) {
            of(operation).ifPresent(attempt -> attempts.put(operation.name(), attempt));
        }
        attempts.putAll(doors.attempts());
        return attempts;
    }

    /** Asks once, and looks at what comes back. */
    void ask(Attempt attempt) throws IOException, InterruptedException {
        try {
            attempt.make();
            answers.done();
        } catch (StatusRuntimeException failure) {
            answers.failed(failure);
        }
        answers.arrived(session.take());
        if (session.isBroken()) {
            // The node gives up who does not read fast enough, and says so.
            session = new SessionClient(clients, address, "hostile");
        }
    }

    /** How an operation is asked for at its costliest: one without an answer here does not compile. */
    private Optional<Attempt> of(Operation operation) {
        return switch (operation) {
            case LOCK -> Optional.of(() -> unlock(stub.lock(permits().build()), LONG_KEY + "0"));
            case TRY_LOCK -> Optional.of(this::tryLock);
            case UPGRADE, DOWNGRADE -> Optional.of(this::upgradeAndDowngrade);
            case DESCRIBE -> Optional.of(this::describe);
            case UNLOCK -> Optional.of(() -> unlock(1, LONG_KEY));
            case CANCEL -> Optional.of(this::cancel);
            case LEASE_GRANT, LEASE_REVOKE -> Optional.of(this::grantAndRevoke);
            case LEASE_EXTEND -> Optional.of(this::extend);
            case LEASE_KEEP_ALIVE -> Optional.of(() -> renew(strangers()));
            case PLAN -> Optional.of(this::plan);
            case EXPLAIN -> Optional.of(this::explain);
            case LEASE_TIME_TO_LIVE -> Optional.of(this::timeToLive);
            case LEASE_LIST -> Optional.of(this::leaseList);
            case GET -> Optional.of(this::get);
            case LIST -> Optional.of(this::list);
            case HISTORY -> Optional.of(this::history);
            case EXPLAIN_KEY -> Optional.of(this::explainKey);
            case WATCH -> Optional.of(this::watch);
            case SESSION -> Optional.of(() -> renew(List.of(lease)));
            // For operators, who may stop the service whenever they like.
            case STATUS,
                    MEMBER_LIST,
                    MEMBER_ADD,
                    MEMBER_REMOVE,
                    MEMBER_REPLACE,
                    TRANSFER_LEADERSHIP,
                    SNAPSHOT_SAVE,
                    COMPACT,
                    STATE_HASH,
                    LIMIT_LIST,
                    LIMIT_SET,
                    FEATURE_LEVEL_RAISE,
                    FORCE_RELEASE -> Optional.empty();
        };
    }

    private void tryLock() {
        TryLockRequest.Builder nested = TryLockRequest.newBuilder()
                .setLeaseId(lease)
                .setSeq(++seq)
                .setAckedBelow(seq)
                .setMetadata(METADATA);
        StringBuilder key = new StringBuilder("hostile");
        for (int i = 0; i < KEYS; i++) {
            nested.addItems(Item.newBuilder().setKey(key.toString()).setKind(Kind.SUBTREE));
            key.append("/t");
        }
        TryLockResponse tried = stub.tryLock(nested.build());
        if (tried.getAcquired()) {
            unlock(tried.getFencingToken(), "hostile");
        } else {
            answers.refused(tried.getCode());
        }
    }

    private void upgradeAndDowngrade() {
        LockResponse held = stub.lock(shared().build());
        if (!held.getAcquired()) {
            answers.refused(held.getCode());
            return;
        }
        LockResponse upgraded = stub.upgrade(UpgradeRequest.newBuilder()
                .setName(shared(0))
                .setLeaseId(lease)
                .setFencingToken(held.getFencingToken())
                .setSeq(++seq)
                .setAckedBelow(seq)
                .build());
        if (!upgraded.getAcquired()) {
            answers.refused(upgraded.getCode());
            unlock(held.getFencingToken(), shared(0));
            return;
        }
        var unused = stub.downgrade(DowngradeRequest.newBuilder()
                .setName(shared(0))
                .setLeaseId(lease)
                .setFencingToken(upgraded.getFencingToken())
                .build());
        unlock(upgraded.getFencingToken(), shared(0));
    }

    private void describe() {
        LockResponse held = stub.lock(shared().build());
        if (!held.getAcquired()) {
            answers.refused(held.getCode());
            return;
        }
        var unused = stub.describe(DescribeRequest.newBuilder()
                .setName(shared(0))
                .setLeaseId(lease)
                .setFencingToken(held.getFencingToken())
                .setMetadata(METADATA)
                .build());
        unlock(held.getFencingToken(), shared(0));
    }

    private void cancel() {
        var unused = stub.cancel(CancelRequest.newBuilder()
                .setLeaseId(lease)
                .setSeq(++seq)
                .setAckedBelow(seq)
                .build());
    }

    private void grantAndRevoke() {
        long id = random.nextLong() | 1;
        var granted = stub.leaseGrant(LeaseGrantRequest.newBuilder()
                .setId(id)
                .setTtlMs(TTL_MILLIS)
                .setClientId("c".repeat(250))
                .build());
        LockResponse held = stub.lock(
                permits().setLeaseId(granted.getId()).setSeq(1).setAckedBelow(1).build());
        if (!held.getAcquired()) {
            answers.refused(held.getCode());
        }
        var unused = stub.leaseRevoke(LeaseRevokeRequest.newBuilder().setId(id).build());
    }

    private void extend() {
        var unused = stub.leaseExtend(
                LeaseExtendRequest.newBuilder().setId(lease).setAdditionalMs(1).build());
    }

    private void renew(List<Long> leases) {
        session.ask(ClientMessage.newBuilder().setRenew(Renew.newBuilder().addAllLeaseIds(leases)));
    }

    private void plan() {
        var unused = stub.plan(permits().setActor(1).setTimeoutMs(-1).build());
    }

    private void explain() {
        var unused = stub.explain(ExplainRequest.newBuilder().setLeaseId(lease).build());
    }

    private void timeToLive() {
        var unused = stub.leaseTimeToLive(
                LeaseTimeToLiveRequest.newBuilder().setId(lease).setKeys(true).build());
    }

    private void leaseList() {
        var unused =
                stub.leaseList(LeaseListRequest.newBuilder().setLimit(1_000).build());
    }

    private void get() {
        var unused = stub.get(GetRequest.newBuilder().setName(CROWDED).build());
    }

    private void list() {
        var unused = stub.list(ListRequest.newBuilder().setLimit(1_000).build());
    }

    private void history() {
        var unused = stub.history(HistoryRequest.newBuilder()
                .setName("hostile/none")
                .setLimit(1_000)
                .build());
    }

    private void explainKey() throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/resources/hostile%2Fcrowded/explain"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        answers.http(response.statusCode(), response.body());
    }

    private void watch() {
        session.ask(ClientMessage.newBuilder()
                .setWatch(WatchRequest.newBuilder()
                        .setPrefix(true)
                        .setStartRevision(1)
                        .setAllEvents(true)
                        .setPrevKv(true)
                        .setWatchId(++seq)));
        session.ask(ClientMessage.newBuilder()
                .setWatch(WatchRequest.newBuilder().setCancel(true).setWatchId(seq)));
    }

    private void unlock(LockResponse held, String key) {
        if (held.getAcquired()) {
            unlock(held.getFencingToken(), key);
        } else {
            answers.refused(held.getCode());
        }
    }

    private void unlock(long token, String key) {
        var unused = stub.unlock(UnlockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setFencingToken(token)
                .build());
    }

    /** As many permits as a request may have, of as many semaphores. */
    private LockRequest.Builder permits() {
        LockRequest.Builder request = LockRequest.newBuilder()
                .setLeaseId(lease)
                .setSeq(++seq)
                .setAckedBelow(seq)
                .setMetadata(METADATA)
                .setPurpose("p".repeat(250));
        for (int i = 0; i < KEYS; i++) {
            request.addItems(Item.newBuilder()
                    .setKey(LONG_KEY + i)
                    .setKind(Kind.PERMITS)
                    .setCapacity(PERMITS)
                    .setCount(PERMITS / KEYS));
        }
        return request;
    }

    private LockRequest.Builder shared() {
        LockRequest.Builder request = LockRequest.newBuilder()
                .setLeaseId(lease)
                .setSeq(++seq)
                .setAckedBelow(seq)
                .setMetadata(METADATA);
        for (int i = 0; i < KEYS; i++) {
            request.addItems(Item.newBuilder().setKey(shared(i)).setMode(Mode.SHARED));
        }
        return request;
    }

    /** Of its own: what two share is refused before it costs anything. */
    private String shared(int i) {
        return "hostile/shared/" + lease + "/" + i;
    }

    private List<Long> strangers() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            ids.add(random.nextLong());
        }
        return ids;
    }
}
