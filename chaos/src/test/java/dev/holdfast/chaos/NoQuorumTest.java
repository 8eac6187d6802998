package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a node says and does when it cannot do its work. */
class NoQuorumTest {
    private static final Map<String, String> FAST = Map.of("election-profile", "fast");
    private static final long LEASE = 99;
    private static final int REFUSALS = 10;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_node_without_a_majority_grants_nothing_and_says_how_many_it_reaches() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST)) {
            NodeProcess survivor = cluster.awaitLeader();
            var stub = cluster.clients().locks(survivor.clientAddress());
            var unused = stub.leaseGrant(
                    LeaseGrantRequest.newBuilder().setId(LEASE).setTtlMs(60_000).build());
            for (NodeProcess node : cluster.running()) {
                if (node != survivor) {
                    node.kill();
                }
            }
            LockRequest request = LockRequest.newBuilder()
                    .setName("a")
                    .setLeaseId(LEASE)
                    .setSeq(1)
                    .build();
            report(stub, request);
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                StatusRuntimeException refused =
                        catchThrowableOfType(StatusRuntimeException.class, () -> stub.lock(request));
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                Error error = Errors.of(refused).orElseThrow();
                assertThat(error.getCode()).isIn(Code.UNAVAILABLE, Code.NO_LEADER);
                assertThat(error.getMessage()).contains("1 of 3 voting nodes reachable");
            });
            assertThat(stub.get(GetRequest.newBuilder()
                                    .setName("a")
                                    .setStale(true)
                                    .build())
                            .hasLock())
                    .isFalse();
        }
    }

    /** How long callers wait for the refusal, from the first call after the others died: a figure for docs/benchmarks.md. */
    private static void report(LockServiceBlockingStub stub, LockRequest request) {
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < REFUSALS; i++) {
            long begun = System.nanoTime();
            assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> stub.lock(request)))
                    .as("nothing is granted")
                    .isNotNull();
            millis.add((System.nanoTime() - begun) / 1_000_000);
        }
        System.out.printf("no quorum: %d calls refused after %s ms%n", REFUSALS, millis);
    }

    @Test
    void a_corrupt_log_stops_its_node_with_a_message_and_the_others_go_on() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, FAST)) {
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
            KillTest.progress(load, 100);
            NodeProcess victim = cluster.follower();
            victim.kill();
            flipABit(victim.directory());
            victim.start();
            assertThat(victim.awaitExit()).isNotZero();
            assertThat(victim.output()).contains("log_inprogress").contains("join");
            KillTest.progress(load, 50);
            load.stop();
            assertThat(load.faults()).isEmpty();
        }
    }

    /** In the middle of what was written of the open segment: no torn write looks like that. */
    private static void flipABit(Path directory) throws Exception {
        List<Path> segments;
        try (Stream<Path> files = Files.walk(directory)) {
            segments = files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
        try (RandomAccessFile file = new RandomAccessFile(segments.get(0).toFile(), "rw")) {
            file.seek(600);
            int old = file.read();
            file.seek(600);
            file.write(old ^ 4);
        }
    }
}
