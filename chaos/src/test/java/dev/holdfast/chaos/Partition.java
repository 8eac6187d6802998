package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What {@link PartitionTest} runs, in a process and a network of its own: the leader is cut off, clients reach all. */
final class Partition {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Map<String, String> SETTINGS = Map.of("election-profile", "fast", "insecure", "true");
    private static final String KEY = "moved";
    private static final long FIRST = 101;
    private static final long SECOND = 102;
    private static final int ASKING = 8;
    private static final int ASKED_ENOUGH = 2 * ASKING;
    private static final long PAUSE_NANOS = 5_000_000;

    private final Network network;
    private final Cluster cluster;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final AtomicLong asked = new AtomicLong();
    private volatile boolean stopping;

    /** What the old leader answered: the holder of {@link #KEY}, or a grant; and when it was asked. */
    private record Answer(long calledNanos, boolean grant, long token) {}

    private Partition(Network network, Cluster cluster) {
        this.network = network;
        this.cluster = cluster;
    }

    /** Takes the directory to work in. Ends with 0 if all is as it should be. */
    public static void main(String[] arguments) {
        Stage.run(
                Path.of(arguments[0]),
                root -> new Network(3),
                SETTINGS,
                (network, cluster) -> new Partition(network, cluster).run());
    }

    private void run() throws Exception {
        EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
        Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4).start();
        RecordedLoad recorded = new RecordedLoad(cluster.clients(), cluster.addresses(), 4, 2).start();
        KillTest.progress(load, 50);

        NodeProcess old = cluster.awaitLeader();
        List<String> others = cluster.addresses().stream()
                .filter(address -> !address.equals(old.clientAddress()))
                .toList();
        Insistence majority = new Insistence(cluster.clients(), others);
        majority.insist(stub -> stub.leaseGrant(lease(FIRST)));
        majority.insist(stub -> stub.leaseGrant(lease(SECOND)));
        long first = majority.insist(stub -> stub.lock(lock(FIRST))).getFencingToken();
        List<Thread> asking = ask(old);
        await().atMost(PATIENCE)
                .until(() -> answers.stream().anyMatch(Answer::grant)
                        && answers.stream().anyMatch(answer -> answer.token() == first));

        network.cutOff(old.name());
        long cut = System.nanoTime();
        // Takes until the two have a leader, and not a moment longer: the old one may still think that it leads.
        majority.insist(stub -> stub.unlock(unlock(first)));
        long second = majority.insist(stub -> stub.lock(lock(SECOND))).getFencingToken();
        long moved = System.nanoTime();
        KillTest.progress(load, 50);
        assertThat(cluster.awaitLeader().name()).as("who leads").isNotEqualTo(old.name());
        long before = asked.get();
        await().atMost(PATIENCE).until(() -> asked.get() >= before + ASKED_ENOUGH);
        stopping = true;
        for (Thread thread : asking) {
            thread.join();
        }
        check(cut, moved, second);

        network.heal();
        await().atMost(PATIENCE)
                .until(() -> cluster.status(old)
                        .map(status -> status.getRole().equals("following"))
                        .orElse(false));
        KillTest.progress(load, 50);
        load.stop();
        recorded.stop();
        events.catchUp();
        events.verify(load);
        cluster.assertStatesEqual();
        recorded.assertLinearizable();
    }

    private void check(long cut, long moved, long second) {
        assertThat(answers)
                .filteredOn(Answer::grant)
                .filteredOn(answer -> answer.calledNanos() - cut > 0)
                .as("grants of a leader cut off")
                .isEmpty();
        assertThat(answers)
                .filteredOn(answer -> !answer.grant() && answer.calledNanos() - moved > 0)
                .as("reads of a leader cut off, after the lock went to %s elsewhere", second)
                .allMatch(answer -> answer.token() == second);
    }

    /** Asks one node, over and over, who holds the key, and for grants of keys that are free. */
    private List<Thread> ask(NodeProcess node) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < ASKING; i++) {
            boolean reads = i % 2 == 0;
            String key = "asked/" + i;
            Thread thread = new Thread(() -> {
                for (long seq = 1; !stopping; seq++) {
                    askOnce(node, reads, key, seq);
                    asked.incrementAndGet();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            });
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private void askOnce(NodeProcess node, boolean reads, String key, long seq) {
        var stub = cluster.clients().locks(node.clientAddress());
        long called = System.nanoTime();
        try {
            if (reads) {
                GetResponse found =
                        stub.get(GetRequest.newBuilder().setName(KEY).build());
                answers.add(new Answer(
                        called,
                        false,
                        found.getLock().getHoldersList().isEmpty()
                                ? 0
                                : found.getLock().getHolders(0).getFencingToken()));
            } else {
                // No request ids: a key for each attempt, so that each would be a grant of its own.
                var tried = stub.tryLock(TryLockRequest.newBuilder()
                        .setName(key + "/" + seq)
                        .setLeaseId(FIRST)
                        .build());
                if (tried.getAcquired()) {
                    answers.add(new Answer(called, true, tried.getFencingToken()));
                }
            }
        } catch (StatusRuntimeException e) {
            // Which is what a node without a majority should say.
        }
    }

    private static LeaseGrantRequest lease(long id) {
        return LeaseGrantRequest.newBuilder()
                .setId(id)
                .setTtlMs(3_600_000)
                .setClientId("client-" + id)
                .build();
    }

    private static LockRequest lock(long lease) {
        return LockRequest.newBuilder().setName(KEY).setLeaseId(lease).setSeq(1).build();
    }

    private static UnlockRequest unlock(long token) {
        return UnlockRequest.newBuilder()
                .setName(KEY)
                .setLeaseId(FIRST)
                .setFencingToken(token)
                .build();
    }
}
