package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Bench;
import dev.holdfast.consensus.RareSchedules;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("the engine's hooks")
class RatisSchedulesTest extends RareSchedules {
    private static final long MUCH = 64 * 1024 * 1024;

    @Override
    protected Bench open(Path directory) {
        return new RatisBench(Cluster.ofThree(directory, MUCH));
    }

    private static final class RatisBench implements Bench {
        private static final String APPEND = "RaftServerImpl.appendEntries";
        /** Where the engine comes by when an entry is in its memory, and not yet flushed. */
        private static final String TAKEN = "RaftServerImpl.appendEntries.logComplete";

        private final Cluster cluster;
        private final Map<String, RatisSeat> seats = new ConcurrentHashMap<>();

        RatisBench(Cluster cluster) {
            this.cluster = cluster;
            cluster.running().forEach(node -> seats.put(node.member.id().toString(), new RatisSeat(node)));
            CodeInjectionForTesting.put(APPEND, (local, remote, args) -> {
                RatisSeat seat = seats.get(String.valueOf(local));
                if (seat != null && ((AppendEntriesRequestProto) args[1]).getEntriesCount() > 0) {
                    seat.sent.incrementAndGet();
                    seat.hasEntry.set(true);
                }
                return false;
            });
            CodeInjectionForTesting.put(TAKEN, (local, remote, args) -> {
                RatisSeat seat = seats.get(String.valueOf(local));
                if (seat != null && seat.hasEntry.getAndSet(false) && seat.losing.compareAndSet(true, false)) {
                    throw new IllegalStateException("the answer is lost");
                }
                return false;
            });
        }

        private RatisSeat seat(Node node) {
            return Objects.requireNonNull(seats.get(node.member.id().toString()));
        }

        @Override
        public Seat leader() {
            return seat(cluster.leader());
        }

        @Override
        public List<Seat> running() {
            return cluster.running().stream().<Seat>map(this::seat).toList();
        }

        /** The engine never forgets a hook: the next test would find this one's. */
        @Override
        public void close() {
            CodeInjectionForTesting.put(APPEND, (local, remote, args) -> false);
            CodeInjectionForTesting.put(TAKEN, (local, remote, args) -> false);
            cluster.close();
        }
    }

    private static final class RatisSeat implements Bench.Seat {
        final Node node;
        final AtomicInteger sent = new AtomicInteger();
        final AtomicBoolean losing = new AtomicBoolean();
        /** Of the request it is dealing with. */
        final AtomicBoolean hasEntry = new AtomicBoolean();

        RatisSeat(Node node) {
            this.node = node;
        }

        @Override
        public ReplicatedLog log() {
            return node.running();
        }

        @Override
        public List<String> applied() {
            return node.replica.entries();
        }

        @Override
        public boolean leads() {
            return node.replica.leads();
        }

        @Override
        public void stop() {
            node.stop();
        }

        @Override
        public void holdDisk() {
            node.disk.hold();
        }

        @Override
        public void freeDisk() {
            node.disk.free();
        }

        @Override
        public void loseAnswer() {
            losing.set(true);
        }

        @Override
        public int timesSentEntries() {
            return sent.get();
        }
    }
}
