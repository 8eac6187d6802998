package dev.holdfast.bench;

import dev.holdfast.core.command.Command;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.snapshot.SnapshotReader;
import dev.holdfast.core.snapshot.SnapshotWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds ten million locks on 100,000 leases: how much heap they take, how fast their snapshot is written
 * while the machine goes on, how long an entry had to wait for it, and how fast it is read back.
 *
 * <p>Arguments: the number of locks, the number of leases.
 */
public final class TenMillionLocks {
    private static final int PAIRS_PER_ENTRY = 50;

    private MachineLoad workload;
    private final int locks;

    /** The host's duty: the machine and its snapshot take turns. Fair, or the writer would hog it. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private volatile boolean writing;

    /** Processor time of the longest turn the snapshot took: what no scheduler and no collector can add to. */
    private volatile long longestTurnNanos;

    private TenMillionLocks(int locks, int leases) {
        this.locks = locks;
        this.workload = new MachineLoad(new LockMachine(), leases);
    }

    public static void main(String[] args) throws InterruptedException {
        int locks = args.length > 0 ? Integer.parseInt(args[0]) : 10_000_000;
        int leases = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
        long empty = usedHeap();
        TenMillionLocks bench = new TenMillionLocks(locks, leases);
        long start = System.nanoTime();
        bench.workload.hold(0, locks);
        say("held %,d locks on %,d leases, %,.0f locks/s", locks, leases, locks / secondsSince(start));
        long used = usedHeap() - empty;
        say("heap: %,.2f GB, %,.0f bytes per lock", used / 1e9, (double) used / locks);
        bench.writeWhileWorking();
        bench.readBack(bench.writeAlone());
    }

    /** Entries go on being applied; the longest that one had to wait is what a client would notice. */
    private void writeWhileWorking() throws InterruptedException {
        long[] bytes = {0};
        writing = true;
        Thread writer = new Thread(() -> bytes[0] = write(null), "snapshot");
        long start = System.nanoTime();
        writer.start();
        List<Long> waits = new ArrayList<>();
        long longestWithCollection = 0;
        int next = 0;
        while (writing) {
            long collections = collections();
            long waited = applyPairs(next);
            if (collections == collections()) {
                waits.add(waited);
            } else {
                longestWithCollection = Math.max(longestWithCollection, waited);
            }
            next += PAIRS_PER_ENTRY;
        }
        writer.join();
        double seconds = secondsSince(start);
        long[] sorted = waits.stream().mapToLong(Long::longValue).sorted().toArray();
        say(
                "snapshot while working: %,.1f s, %,.0f locks/s, %,d MB; %,d entries meanwhile, each waited"
                        + " p50 %.2f, p99 %.2f, max %.2f ms (%.2f ms where the JVM collected garbage meanwhile);"
                        + " longest turn of the snapshot %.2f ms of processor time",
                seconds,
                locks / seconds,
                bytes[0] / 1_000_000,
                sorted.length,
                millis(sorted, 0.5),
                millis(sorted, 0.99),
                millis(sorted, 1),
                longestWithCollection / 1e6,
                longestTurnNanos / 1e6);
    }

    /** How long the entries had to wait for their turn. */
    private long applyPairs(int from) {
        List<Command> commands = new ArrayList<>(PAIRS_PER_ENTRY);
        for (int i = 0; i < PAIRS_PER_ENTRY; i++) {
            commands.add(workload.acquire((from + i) % workload.leases(), MachineLoad.key(locks + from + i)));
        }
        long asked = System.nanoTime();
        return inTurn(() -> {
            long waited = System.nanoTime() - asked;
            var granted = workload.apply(commands).results();
            commands.clear();
            for (int i = 0; i < PAIRS_PER_ENTRY; i++) {
                commands.add(workload.release(
                        (from + i) % workload.leases(),
                        MachineLoad.key(locks + from + i),
                        MachineLoad.tokenOf(granted.get(i))));
            }
            workload.apply(commands);
            return waited;
        });
    }

    private long write(@Nullable List<byte[]> into) {
        long bytes = 0;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        longestTurnNanos = 0;
        long before = threads.getCurrentThreadCpuTime();
        SnapshotWriter snapshot = inTurn(workload.machine::startSnapshot);
        byte[] frame = {};
        while (frame != null) {
            long after = threads.getCurrentThreadCpuTime();
            longestTurnNanos = Math.max(longestTurnNanos, after - before);
            bytes += frame.length;
            if (into != null) {
                into.add(frame);
            }
            before = threads.getCurrentThreadCpuTime();
            frame = inTurn(snapshot::next);
        }
        writing = false;
        return bytes;
    }

    private <T extends @Nullable Object> T inTurn(Supplier<T> action) {
        turn.lock();
        try {
            return action.get();
        } finally {
            turn.unlock();
        }
    }

    private List<byte[]> writeAlone() {
        List<byte[]> frames = new ArrayList<>();
        long start = System.nanoTime();
        write(frames);
        say("snapshot alone: %,.0f locks/s", locks / secondsSince(start));
        return frames;
    }

    private void readBack(List<byte[]> frames) {
        long hash = workload.machine.stateHash();
        // A node that restarts has no second copy in its heap.
        workload = new MachineLoad(new LockMachine(), 1);
        System.gc();
        long start = System.nanoTime();
        SnapshotReader reader = new SnapshotReader();
        for (byte[] frame : frames) {
            reader.feed(frame, frame.length);
        }
        LockMachine copy = LockMachine.load(reader);
        say("read back: %,.0f locks/s", locks / secondsSince(start));
        say("same state: %s", copy.stateHash() == hash);
    }

    private static double millis(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e6;
    }

    private static long collections() {
        long count = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            count += collector.getCollectionCount();
        }
        return count;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private static long usedHeap() {
        long[] readings = new long[3];
        for (int i = 0; i < readings.length; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            readings[i] = runtime.totalMemory() - runtime.freeMemory();
        }
        return Arrays.stream(readings).min().orElse(0);
    }

    private static void say(String format, Object... values) {
        System.out.println(String.format(java.util.Locale.ROOT, format, values));
    }
}
