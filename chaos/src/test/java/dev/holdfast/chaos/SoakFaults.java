package dev.holdfast.chaos;

import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.CompactRequest;
import dev.holdfast.protocol.v1.SnapshotSaveRequest;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** What happens to the nodes of a soak, one thing at a time; afterwards all of them serve. */
final class SoakFaults {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LONGEST_PAUSE_MILLIS = 3_000;
    private static final int LONGEST_ABSENCE_MILLIS = 3_000;

    private final Cluster cluster;
    private final String survivor;
    private final SplittableRandom random;
    private final Map<String, Integer> done = new TreeMap<>();
    private final Weights<String> hard = new Weights<String>()
            .add(3, "leader killed")
            .add(2, "follower killed")
            .add(2, "restarted");
    private final Weights<String> soft = new Weights<String>()
            .add(3, "stood still")
            .add(3, "leadership handed on")
            .add(2, "log compacted")
            .add(1, "backup taken");

    /** @param survivor the node whose process never ends */
    SoakFaults(Cluster cluster, String survivor, SplittableRandom random) {
        this.cluster = cluster;
        this.survivor = survivor;
        this.random = random;
    }

    /** How often what was done. */
    Map<String, Integer> done() {
        return done;
    }

    /** Does one thing; none that ends a process, unless that is allowed. */
    void one(boolean mayEnd) throws Exception {
        run((mayEnd && random.nextBoolean() ? hard : soft).pick(random));
    }

    void run(String fault) throws Exception {
        done.merge(fault, 1, Integer::sum);
        switch (fault) {
            case "leader killed" -> leaderKilled();
            case "follower killed" -> killed(mortal(false));
            case "restarted" -> {
                NodeProcess node = mortal(random.nextBoolean());
                int code = node.terminate();
                if (code != 0 && code != 143) {
                    throw new AssertionError(node.name() + " ended with " + code);
                }
                node.start();
            }
            case "stood still" -> {
                NodeProcess node = any();
                node.pause();
                pass(random.nextInt(100, LONGEST_PAUSE_MILLIS));
                node.resume();
            }
            case "leadership handed on" -> handTo(any());
            case "log compacted" ->
                attempt(() -> {
                    var unused =
                            cluster.clients().admin(any().clientAddress()).compact(CompactRequest.getDefaultInstance());
                });
            case "backup taken" ->
                attempt(() -> cluster.clients()
                        .admin(any().clientAddress())
                        .snapshotSave(SnapshotSaveRequest.getDefaultInstance())
                        .forEachRemaining(chunk -> {}));
            default -> throw new IllegalArgumentException(fault);
        }
        cluster.awaitAll();
    }

    private void leaderKilled() throws Exception {
        NodeProcess leader = cluster.awaitLeader();
        if (leader.name().equals(survivor)) {
            handTo(mortal(false));
            leader = cluster.awaitLeader();
        }
        if (!leader.name().equals(survivor)) {
            killed(leader);
        }
    }

    private void killed(NodeProcess node) throws Exception {
        node.kill();
        pass(random.nextInt(LONGEST_ABSENCE_MILLIS));
        node.start();
    }

    /** How long something lasts is a part of it. */
    private static void pass(long millis) {
        await().pollDelay(Duration.ofMillis(millis)).atMost(PATIENCE).until(() -> true);
    }

    private NodeProcess any() {
        List<NodeProcess> nodes = cluster.running();
        return nodes.get(random.nextInt(nodes.size()));
    }

    /** A node that may end: the leader, or one that follows, if there is such a one. */
    private NodeProcess mortal(boolean leading) {
        NodeProcess leader = cluster.awaitLeader();
        List<NodeProcess> others = cluster.running().stream()
                .filter(node -> !node.name().equals(survivor))
                .toList();
        return others.stream()
                .filter(node -> (node == leader) == leading)
                .findFirst()
                .orElse(others.get(0));
    }

    private void handTo(NodeProcess node) {
        attempt(() -> {
            var unused = cluster.clients()
                    .admin(cluster.awaitLeader().clientAddress())
                    .transferLeadership(TransferLeadershipRequest.newBuilder()
                            .setTo(node.name())
                            .build());
        });
    }

    /** An operator's call may come in the middle of an election, and is then not repeated. */
    private void attempt(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            done.merge("operator's call refused", 1, Integer::sum);
        }
    }
}
