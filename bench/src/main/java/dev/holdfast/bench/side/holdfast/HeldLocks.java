package dev.holdfast.bench.side.holdfast;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.ServerProcess;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Findings;
import dev.holdfast.bench.side.workload.Workload;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.CompactRequest;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.StatusRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Very many locks are held at once: the memory that a node needs for each, how long it takes to write its snapshot, and
 * to come back after it was killed. The variant says how many.
 */
public final class HeldLocks implements Workload {
    public static final String MEMORY = "heap per lock";
    public static final String RESTART = "restart";

    private static final Duration ANSWER = Duration.ofMinutes(5);
    /** Ten million locks in three nodes, and the rest of the machine's 24 GB for the kernel and the client. */
    private static final List<String> FLAGS = List.of("-Xms1g", "-Xmx6g");

    private static final long ALL_THERE_MAY_BE = 100_000_000;

    @Override
    public void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        long locks = Long.parseLong(site.variant().name());
        Site roomy = new Site(site.directory(), FLAGS, site.variant());
        try (Cluster cluster = system.start(roomy)) {
            ServerProcess leader = system.leader(cluster);
            for (String limit : List.of("LOCKS_PER_PRINCIPAL", "LOCKS_PER_TENANT")) {
                var unused = admin(leader)
                        .limitSet(LimitSetRequest.newBuilder()
                                .setName(limit)
                                .setValue(ALL_THERE_MAY_BE)
                                .build());
            }
            List<Long> empty = heap(cluster);
            long start = System.nanoTime();
            Filling.fill(leader.address(), locks);
            findings.add("acquired", "locks/s", locks / seconds(start));
            ServerProcess follower = cluster.servers().stream()
                    .filter(server -> server != leader)
                    .findFirst()
                    .orElseThrow();
            caughtUp(leader, follower);
            List<Long> full = heap(cluster);
            for (int i = 0; i < full.size(); i++) {
                findings.add(MEMORY, "bytes", (double) (full.get(i) - empty.get(i)) / locks);
            }
            for (int i = 0; i < plan.repetitions(); i++) {
                measureFollower(leader, follower, findings);
            }
        }
    }

    private static void measureFollower(ServerProcess leader, ServerProcess follower, Findings findings)
            throws Exception {
        long start = System.nanoTime();
        var unused = admin(follower).compact(CompactRequest.getDefaultInstance());
        findings.add("snapshot", "s", seconds(start));
        start = System.nanoTime();
        follower.restart();
        caughtUp(leader, follower);
        findings.add(RESTART, "s", seconds(start));
    }

    /** Returns when a node has applied all that the leader has now. */
    private static void caughtUp(ServerProcess leader, ServerProcess node) throws Exception {
        long index = status(leader);
        Site.await(node.address() + " has caught up", () -> status(node) >= index);
    }

    private static long status(ServerProcess server) {
        return admin(server).status(StatusRequest.getDefaultInstance()).getAppliedIndex();
    }

    private static AdminBlockingStub admin(ServerProcess server) {
        return GrpcClients.builder("gproto+http://" + server.address() + "/")
                .responseTimeout(ANSWER)
                .build(AdminBlockingStub.class);
    }

    private static List<Long> heap(Cluster cluster) throws Exception {
        List<Long> bytes = new ArrayList<>();
        for (ServerProcess server : cluster.servers()) {
            bytes.add(HeapUse.afterCollection(server.pid()));
        }
        return bytes;
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
