package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Everything that happened to the locks, as a watch from the first revision tells it: what the promises are checked
 * against.
 *
 * <p>It goes from node to node and resumes where it was, so it is itself a test of watches.
 */
final class EventLog {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Clients clients;
    private final List<String> addresses;
    private final Queue<Told> events = new ConcurrentLinkedQueue<>();
    private volatile long resume = 1;
    private volatile String refusal = "";
    private volatile int stream;

    /** What happened, and when this log was told. */
    record Told(Event event, long nanos) {}

    EventLog(Clients clients, List<String> addresses) {
        this.clients = clients;
        this.addresses = List.copyOf(addresses);
    }

    EventLog start() {
        connect();
        return this;
    }

    private synchronized void connect() {
        int mine = ++stream;
        StreamObserver<WatchRequest> requests = clients.streams(addresses.get(mine % addresses.size()))
                .watch(new StreamObserver<>() {
                    @Override
                    public void onNext(WatchResponse response) {
                        received(mine, response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        again(mine);
                    }

                    @Override
                    public void onCompleted() {
                        again(mine);
                    }
                });
        requests.onNext(WatchRequest.newBuilder()
                .setPrefix(true)
                .setStartRevision(resume)
                .setWatchId(1)
                .setAllEvents(true)
                .build());
    }

    private synchronized void received(int mine, WatchResponse response) {
        if (mine != stream) {
            return;
        }
        if (response.getCompactRevision() > 0) {
            refusal = response.toString();
            return;
        }
        long now = System.nanoTime();
        response.getEventsList().forEach(event -> events.add(new Told(event, now)));
        if (!response.getEventsList().isEmpty()) {
            resume = response.getEvents(response.getEventsCount() - 1).getRevision() + 1;
        }
        if (response.getCanceled()) {
            again(mine);
        }
    }

    private void again(int mine) {
        var unused = CompletableFuture.runAsync(
                () -> {
                    if (mine == stream) {
                        connect();
                    }
                },
                CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
    }

    /** Waits until everything that happened before this call was received. */
    void catchUp() {
        String marker = "marker/" + Long.toHexString(new SecureRandom().nextLong());
        long lease = new SecureRandom().nextLong() | 1;
        await().atMost(PATIENCE).ignoreException(StatusRuntimeException.class).until(() -> {
            var stub = clients.locks(addresses.get(Math.floorMod(System.nanoTime(), addresses.size())));
            stub.leaseGrant(
                    LeaseGrantRequest.newBuilder().setId(lease).setTtlMs(30_000).build());
            return stub.lock(LockRequest.newBuilder()
                            .setName(marker)
                            .setLeaseId(lease)
                            .setSeq(1)
                            .build())
                    .getAcquired();
        });
        await().atMost(PATIENCE)
                .until(() -> !refusal.isEmpty()
                        || events.stream()
                                .anyMatch(told -> told.event().getKv().getKey().equals(marker)));
        assertThat(refusal).isEmpty();
    }

    /** Checks what the service promises, and everything that the load's clients were told: see {@link Audit}. */
    void verify(Load load) {
        assertThat(load.faults()).isEmpty();
        Audit audit = new Audit();
        events.forEach(told -> audit.see(told.event()));
        audit.confirm(load.grants(), load.releases());
    }

    /** Hands over what has come, and forgets it. */
    void drainTo(Audit audit) {
        for (Told told = events.poll(); told != null; told = events.poll()) {
            audit.see(told.event());
        }
    }

    /** What happened to one key, in order. */
    List<Event> of(String key) {
        return events.stream()
                .map(Told::event)
                .filter(event -> event.getKv().getKey().equals(key))
                .toList();
    }

    /** When this log was told that the holds of keys ended, by key; the last time, if that was more than once. */
    Map<String, Long> ends() {
        Map<String, Long> ends = new HashMap<>();
        for (Told told : events) {
            if (told.event().getWhat() == Event.What.ENDED) {
                ends.put(told.event().getKv().getKey(), told.nanos());
            }
        }
        return ends;
    }

    /** How often this happened to keys with a prefix. */
    long count(Event.What what, String prefix) {
        return events.stream()
                .map(Told::event)
                .filter(event ->
                        event.getWhat() == what && event.getKv().getKey().startsWith(prefix))
                .count();
    }

    int size() {
        return events.size();
    }
}
