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
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.TryLockRequest;
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
import java.util.List;
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
    private final SessionClient session;
    private final HttpClient http = HttpClient.newHttpClient();
    private final SplittableRandom random = new SplittableRandom(1);
    private final long lease;
    private long seq;

    /** Takes what it asks about later: very many waiters of one lease for one key, and very many keys. */
    Hostility(Clients clients, String address, long lease, int waiters) throws IOException, InterruptedException {
        this.address = address;
        this.stub = clients.locks(address);
        this.session = new SessionClient(clients, address, "hostile-" + lease);
        this.lease = lease;
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
        perform(Operation.SESSION);
        session.forget();
    }

    /** Asks once; a refusal is as good an answer as any. */
    void ask(Operation operation) throws IOException, InterruptedException {
        try {
            perform(operation);
            // It keeps all that comes.
            session.forget();
        } catch (StatusRuntimeException refused) {
            // Whether the node lives is seen by another.
        }
    }

    // Answers are of no interest, only what they cost.
    @SuppressWarnings("CheckReturnValue")
    private void perform(Operation operation) throws IOException, InterruptedException {
        switch (operation) {
            case LOCK -> unlock(stub.lock(permits().build()).getFencingToken(), LONG_KEY + "0");
            case TRY_LOCK -> {
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
                unlock(stub.tryLock(nested.build()).getFencingToken(), "hostile");
            }
            case UPGRADE, DOWNGRADE -> {
                long token = stub.lock(shared().build()).getFencingToken();
                var upgraded = stub.upgrade(UpgradeRequest.newBuilder()
                        .setName("hostile/shared0")
                        .setLeaseId(lease)
                        .setFencingToken(token)
                        .setSeq(++seq)
                        .setAckedBelow(seq)
                        .build());
                var unused = stub.downgrade(DowngradeRequest.newBuilder()
                        .setName("hostile/shared0")
                        .setLeaseId(lease)
                        .setFencingToken(upgraded.getFencingToken())
                        .build());
                unlock(upgraded.getFencingToken(), "hostile/shared0");
            }
            case DESCRIBE -> {
                long token = stub.lock(shared().build()).getFencingToken();
                var unused = stub.describe(DescribeRequest.newBuilder()
                        .setName("hostile/shared0")
                        .setLeaseId(lease)
                        .setFencingToken(token)
                        .setMetadata(METADATA)
                        .build());
                unlock(token, "hostile/shared0");
            }
            case UNLOCK -> unlock(1, LONG_KEY);
            case CANCEL -> {
                var unused = stub.cancel(CancelRequest.newBuilder()
                        .setLeaseId(lease)
                        .setSeq(++seq)
                        .setAckedBelow(seq)
                        .build());
            }
            case LEASE_GRANT, LEASE_REVOKE -> {
                long id = random.nextLong() | 1;
                var granted = stub.leaseGrant(LeaseGrantRequest.newBuilder()
                        .setId(id)
                        .setTtlMs(TTL_MILLIS)
                        .setClientId("c".repeat(250))
                        .build());
                var unusedLock = stub.lock(permits()
                        .setLeaseId(granted.getId())
                        .setSeq(1)
                        .setAckedBelow(1)
                        .build());
                var unused = stub.leaseRevoke(
                        LeaseRevokeRequest.newBuilder().setId(id).build());
            }
            case LEASE_EXTEND -> {
                var unused = stub.leaseExtend(LeaseExtendRequest.newBuilder()
                        .setId(lease)
                        .setAdditionalMs(1)
                        .build());
            }
            case LEASE_KEEP_ALIVE ->
                session.ask(
                        ClientMessage.newBuilder().setRenew(Renew.newBuilder().addAllLeaseIds(strangers())));
            case PLAN -> {
                var unused = stub.plan(permits().setActor(1).setTimeoutMs(-1).build());
            }
            case EXPLAIN -> {
                var unused = stub.explain(
                        ExplainRequest.newBuilder().setLeaseId(lease).build());
            }
            case LEASE_TIME_TO_LIVE -> {
                var unused = stub.leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder()
                        .setId(lease)
                        .setKeys(true)
                        .build());
            }
            case LEASE_LIST -> {
                var unused = stub.leaseList(
                        LeaseListRequest.newBuilder().setLimit(1_000).build());
            }
            case GET -> {
                var unused = stub.get(GetRequest.newBuilder().setName(CROWDED).build());
            }
            case LIST -> {
                var unused = stub.list(ListRequest.newBuilder().setLimit(1_000).build());
            }
            case HISTORY -> {
                var unused = stub.history(HistoryRequest.newBuilder()
                        .setName("hostile/none")
                        .setLimit(1_000)
                        .build());
            }
            case EXPLAIN_KEY -> {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("http://" + address + "/api/v1/resources/hostile%2Fcrowded/explain"))
                        .build();
                var unused = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            }
            case WATCH -> {
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
            case SESSION ->
                session.ask(
                        ClientMessage.newBuilder().setRenew(Renew.newBuilder().addLeaseIds(lease)));
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
                    FORCE_RELEASE -> throw new IllegalArgumentException(operation + " is for operators");
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
            request.addItems(Item.newBuilder().setKey("hostile/shared" + i).setMode(Mode.SHARED));
        }
        return request;
    }

    private List<Long> strangers() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            ids.add(random.nextLong());
        }
        return ids;
    }
}
