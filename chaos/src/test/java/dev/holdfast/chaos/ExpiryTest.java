package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Leases that end by themselves, very many of them: never too early, and how late. */
class ExpiryTest {
    private static final Map<String, String> FAST = Map.of("election-profile", "fast");
    private static final int LEASES = Figures.times(1_000, 10_000);
    private static final int SHORTEST_TTL_MILLIS = 2_000;
    private static final int LONGEST_TTL_MILLIS = Figures.times(6_000, 30_000);
    private static final int CALLERS = 16;
    private static final long STRANGER_REST_NANOS = 5_000_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    /** A lease, when it was asked for and when its holder knew that it has it. */
    private record Lease(String key, long ttlMillis, long askedNanos, long toldNanos) {}

    @Test
    void leases_end_when_they_are_due() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            List<Lease> leases = make(cluster, "steady/");
            tell("steady", leases, awaitEnds(events, leases));

            leases = make(cluster, "changed/");
            NodeProcess leader = cluster.awaitLeader();
            leader.kill();
            leader.start();
            tell("the leader was killed", leases, awaitEnds(events, leases));
            cluster.awaitAll();
            cluster.assertStatesEqual();
        }
    }

    private static List<Lease> make(Cluster cluster, String prefix) throws Exception {
        Queue<Lease> made = new ConcurrentLinkedQueue<>();
        SplittableRandom random = new SplittableRandom(LEASES);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < LEASES; i++) {
                String key = prefix + i;
                long ttl = random.nextInt(SHORTEST_TTL_MILLIS, LONGEST_TTL_MILLIS);
                calls.add(callers.submit(() -> made.add(make(cluster, key, ttl))));
            }
            for (Future<?> call : calls) {
                call.get();
            }
        } finally {
            callers.shutdownNow();
        }
        return List.copyOf(made);
    }

    private static Lease make(Cluster cluster, String key, long ttlMillis) {
        Insistence server = new Insistence(cluster.clients(), cluster.addresses());
        long id = new SecureRandom().nextLong() | 1;
        long asked = System.nanoTime();
        server.insist(stub -> stub.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(id).setTtlMs(ttlMillis).build()));
        long told = System.nanoTime();
        server.insist(stub -> stub.lock(
                LockRequest.newBuilder().setName(key).setLeaseId(id).setSeq(1).build()));
        return new Lease(key, ttlMillis, asked, told);
    }

    private static Map<String, Long> awaitEnds(EventLog events, List<Lease> leases) {
        return await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(500))
                .until(events::ends, ends -> leases.stream().allMatch(lease -> ends.containsKey(lease.key())));
    }

    private static void tell(String when, List<Lease> leases, Map<String, Long> ends) {
        List<Long> late = new ArrayList<>();
        int early = 0;
        for (Lease lease : leases) {
            long end = ends.getOrDefault(lease.key(), 0L);
            // It began between the two moments: early by the first is early indeed, and late by the second is an upper
            // bound.
            if (end - lease.askedNanos() < lease.ttlMillis() * 1_000_000) {
                early++;
            }
            late.add((end - lease.toldNanos()) / 1_000_000 - lease.ttlMillis());
        }
        Figures.tell(
                "T17",
                "%d leases of %d to %d ms, %s: %d ended early; late %s ms",
                leases.size(),
                SHORTEST_TTL_MILLIS,
                LONGEST_TTL_MILLIS,
                when,
                early,
                Figures.percentiles(late));
        assertThat(early).as("leases that ended early").isZero();
    }

    @Test
    void a_client_with_very_many_leases_dies_and_those_who_waited_get_its_locks() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST);
                HoldfastClient client = HoldfastClient.create(String.join(",", cluster.addresses()))) {
            Process holder = ManyLeases.start(String.join(",", cluster.addresses()), LEASES);
            Stranger stranger = new Stranger(cluster, STRANGER_REST_NANOS);
            try {
                List<CompletableFuture<Grant>> waits = new ArrayList<>();
                for (int i = 0; i < LEASES; i++) {
                    waits.add(client.lock(ManyLeases.key(i)).acquireAsync());
                }
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> client.get(ManyLeases.key(LEASES - 1))
                                .map(lock -> lock.waiterCount() == 1)
                                .orElse(false));
                assertThat(waits).as("all are held").noneMatch(CompletableFuture::isDone);
                List<Long> calm = stranger.millis();
                long died = System.nanoTime();
                holder.destroyForcibly().waitFor();
                CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new))
                        .orTimeout(2, TimeUnit.MINUTES)
                        .join();
                Figures.tell(
                        "T18",
                        "a client with %d leases of %d ms died: all its locks were granted to others after %d ms; a"
                                + " stranger's lock took %s ms before, %s ms meanwhile",
                        LEASES,
                        ManyLeases.TTL.toMillis(),
                        (System.nanoTime() - died) / 1_000_000,
                        Figures.percentiles(calm),
                        Figures.percentiles(stranger.millis()));
                assertThat(waits).allMatch(wait -> wait.join().isValid());
            } finally {
                stranger.stop();
                holder.destroyForcibly().waitFor();
            }
            cluster.assertStatesEqual();
        }
    }
}
