package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.Beliefs.Belief;
import dev.holdfast.chaos.HttpDoor.Answer;
import dev.holdfast.chaos.SoakLoad.Act;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What {@link SoakLoad} does over HTTP, over WebSocket and by plain calls that nobody renews. */
final class SoakDoors {
    private static final int TTL_MILLIS = 3_000;
    private static final int BATCH = 3;

    private final Clients clients;
    private final List<String> addresses;
    private final HttpDoor http;
    private final Beliefs beliefs;
    private final Queue<Load.Grant> told;

    SoakDoors(Clients clients, List<String> addresses, HttpDoor http, Beliefs beliefs, Queue<Load.Grant> told) {
        this.clients = clients;
        this.addresses = List.copyOf(addresses);
        this.http = http;
        this.beliefs = beliefs;
        this.told = told;
    }

    Weights<Act> acts() {
        return new Weights<Act>()
                .add(8, this::rest)
                .add(3, this::batch)
                .add(4, this::questions)
                .add(2, this::watched)
                .add(5, this::webSocket)
                .add(1, this::abandoned);
    }

    private String address(SplittableRandom random) {
        return addresses.get(random.nextInt(addresses.size()));
    }

    /** As a careful client counts: from when it asked, less what clocks may differ. */
    private static BooleanSupplier validFor(long askedNanos, long millis) {
        long most = TimeUnit.MILLISECONDS.toNanos(millis) / 100 * 99 - TimeUnit.MILLISECONDS.toNanos(50);
        return () -> System.nanoTime() - askedNanos < most;
    }

    private void rest(SplittableRandom random) throws Exception {
        String address = address(random);
        String key = SoakClients.key(SoakClients.PLAIN, random);
        String waiting = random.nextBoolean() ? ", \"blocking\": true, \"timeoutMs\": 500" : "";
        long asked = System.nanoTime();
        Answer answer = http.ask(
                address,
                "POST",
                "/locks",
                "{\"resourceId\": \"" + key + "\", \"ttlMs\": " + TTL_MILLIS + waiting + "}");
        if (!answer.isOneOf(201, 409)) {
            throw answer.fault();
        }
        if (answer.status() == 201) {
            Belief belief = believe(key, answer, asked);
            if (random.nextInt(3) == 0) {
                Answer renewed =
                        http.own(address(random), "PUT", "/renew", answer, "{\"additionalTtlMs\": " + TTL_MILLIS + "}");
                if (!renewed.isOneOf(200, 410)) {
                    throw renewed.fault();
                }
            }
            LockSupport.parkNanos(random.nextInt(10_000_000));
            beliefs.leave(belief);
            giveBack(address(random), answer);
        }
    }

    private Belief believe(String key, Answer answer, long askedNanos) {
        long token = Long.parseLong(answer.field("fencingToken"));
        Belief belief = Belief.exclusive(
                key, "REST " + token, validFor(askedNanos, Long.parseLong(answer.field("expiresInMs"))));
        beliefs.enter(belief);
        told.add(new Load.Grant(key, token, askedNanos));
        return belief;
    }

    private void giveBack(String address, Answer lock) throws IOException, InterruptedException {
        Answer answer = http.own(address, "DELETE", "", lock, "");
        // It may have run out, where nobody could be asked for so long.
        if (!answer.isOneOf(200, 409, 410)) {
            throw answer.fault();
        }
    }

    private void batch(SplittableRandom random) throws Exception {
        StringBuilder operations = new StringBuilder();
        for (int i = 0; i < BATCH; i++) {
            operations
                    .append(i == 0 ? "" : ", ")
                    .append("{\"acquire\": {\"resourceId\": \"" + SoakClients.PLAIN + i + "\", \"ttlMs\": " + TTL_MILLIS
                            + "}}");
        }
        long asked = System.nanoTime();
        Answer answer = http.ask(address(random), "POST", "/locks/batch", "{\"operations\": [" + operations + "]}");
        if (!answer.isOneOf(200)) {
            throw answer.fault();
        }
        for (Answer granted : answer.parts("\"success\":true")) {
            Belief belief = believe(granted.field("resourceId"), granted, asked);
            beliefs.leave(belief);
            giveBack(address(random), granted);
        }
    }

    private void questions(SplittableRandom random) throws Exception {
        String key = SoakClients.key(SoakClients.PLAIN, random).replace("/", "%2F");
        for (String path : List.of(
                "/locks?prefix=soak&limit=10",
                "/resources/" + key + "?stale=true",
                "/resources/" + key + "/history?limit=20",
                "/resources/" + key + "/explain")) {
            Answer answer = http.ask(address(random), "GET", path, "");
            if (!answer.isOneOf(200, 404)) {
                throw answer.fault();
            }
        }
    }

    private void watched(SplittableRandom random) throws Exception {
        String cursor = http.watch(address(random), "soak", "", random.nextInt(1, 500));
        String further = http.watch(address(random), "soak", cursor, random.nextInt(1, 500));
        assertThat(further).doesNotContain("COMPACTED");
    }

    private void webSocket(SplittableRandom random) throws Exception {
        String key = SoakClients.key(SoakClients.SHARED, random);
        try (HttpDoor.Socket socket = http.socket(address(random))) {
            long asked = System.nanoTime();
            long token = socket.acquire(key, "socket-" + Long.toHexString(random.nextLong()), TTL_MILLIS / 1_000);
            Belief belief = Belief.exclusive(key, "WebSocket " + token, validFor(asked, TTL_MILLIS));
            beliefs.enter(belief);
            told.add(new Load.Grant(key, token, asked));
            if (random.nextInt(10) > 0) {
                LockSupport.parkNanos(random.nextInt(10_000_000));
                beliefs.leave(belief);
                socket.release(key);
            } // else its lease runs out
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException(e);
        }
    }

    private void abandoned(SplittableRandom random) {
        LockServiceBlockingStub stub = clients.locks(address(random));
        String key = SoakClients.key(SoakClients.PLAIN, random);
        long lease = new SecureRandom().nextLong() | 1;
        int ttl = random.nextInt(1_000, TTL_MILLIS);
        long asked = System.nanoTime();
        var unused = stub.leaseGrant(LeaseGrantRequest.newBuilder()
                .setId(lease)
                .setTtlMs(ttl)
                .setClientId("abandons")
                .build());
        TryLockResponse response = stub.tryLock(TryLockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setSeq(1)
                .build());
        if (response.getAcquired()) {
            long token = response.getFencingToken();
            beliefs.enter(Belief.exclusive(key, "abandoned " + token, validFor(asked, ttl)));
            told.add(new Load.Grant(key, token, asked));
        }
    }
}
