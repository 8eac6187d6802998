package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A leader that runs out of memory ends its process, and another leads. */
class FailStopTest {
    private static final int OUT_OF_MEMORY = 3;
    private static final int METADATA_BYTES = 48_000;
    /** Far more than fits into the small heap, far less than fits into the others. */
    private static final int LOCKS = 1_500;

    private static final int MOST_FAILURES = 50;
    private static final long LEASE = 4711;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_leader_without_memory_ends_and_another_leads() throws Exception {
        try (Cluster cluster = Cluster.prepare(root, 3, Map.of("election-profile", "fast"))) {
            NodeProcess small = cluster.node("n1").with(Map.of("_JAVA_OPTIONS", "-Xmx56m"));
            cluster.node("n2").with(Map.of("_JAVA_OPTIONS", "-Xmx512m"));
            cluster.node("n3").with(Map.of("_JAVA_OPTIONS", "-Xmx512m"));
            cluster.startAll().awaitAll();
            lead(cluster, small);
            fill(cluster, small);
            assertThat(small.awaitExit()).isEqualTo(OUT_OF_MEMORY);
            assertThat(small.output()).contains("OutOfMemoryError");
            NodeProcess next =
                    await().atMost(Duration.ofSeconds(30)).until(cluster::awaitLeader, leader -> leader != small);
            LockServiceBlockingStub locks = cluster.clients().locks(next.clientAddress());
            assertThat(locks.lock(request("after", LOCKS + 1).build()).getAcquired())
                    .isTrue();
        }
    }

    private static void lead(Cluster cluster, NodeProcess node) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            NodeProcess leader = cluster.awaitLeader();
            if (leader != node) {
                var unused = cluster.clients()
                        .admin(leader.clientAddress())
                        .transferLeadership(TransferLeadershipRequest.newBuilder()
                                .setTo(node.name())
                                .build());
            }
            return cluster.awaitLeader() == node;
        });
    }

    /** Takes locks with as much metadata as is allowed, through whichever node answers, until the node is gone. */
    private static void fill(Cluster cluster, NodeProcess node) {
        var unused = cluster.clients()
                .admin(node.clientAddress())
                .limitSet(LimitSetRequest.newBuilder()
                        .setName("METADATA_BYTES")
                        .setValue(METADATA_BYTES)
                        .build());
        LockServiceBlockingStub first = cluster.clients().locks(node.clientAddress());
        var unusedLease = first.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(LEASE).setTtlMs(600_000).build());
        ByteString metadata = ByteString.copyFrom(new byte[METADATA_BYTES]);
        int turn = 0;
        int failures = 0;
        for (int i = 1; i <= LOCKS && node.isAlive(); ) {
            String address = cluster.addresses().get(turn % 3);
            try {
                var unusedHeld = cluster.clients()
                        .locks(address)
                        .lock(request("heavy/" + i, i).setMetadata(metadata).build());
                i++;
            } catch (StatusRuntimeException e) {
                // It goes, or has gone, or no longer leads: what is missing there comes from the next leader.
                turn++;
                if (++failures > MOST_FAILURES) {
                    throw e;
                }
            }
        }
    }

    private static LockRequest.Builder request(String key, long seq) {
        return LockRequest.newBuilder().setName(key).setLeaseId(LEASE).setSeq(seq);
    }
}
