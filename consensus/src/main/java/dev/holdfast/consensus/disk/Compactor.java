package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts snapshots in the place of old log, one at a time, on a thread of its own.
 *
 * <p>A snapshot that cannot be written does not stop the node: the log it would have replaced is still
 * there. The next one is tried after as much log again.
 */
final class Compactor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

    private final Path directory;
    private final long afterBytes;
    private final DiskSnapshots snapshots;
    private final Replica replica;
    private final Runnable nudge;
    private final List<CompletableFuture<Long>> asked = new ArrayList<>();
    private @Nullable Thread thread;
    private long bytes;
    private volatile boolean closed;

    /** @param nudge lets the writing thread ask {@link #due} again */
    Compactor(DiskSettings settings, DiskSnapshots snapshots, Replica replica, long bytes, Runnable nudge) {
        this.directory = settings.directory();
        this.afterBytes = settings.snapshotAfterBytes();
        this.snapshots = snapshots;
        this.replica = replica;
        this.bytes = bytes;
        this.nudge = nudge;
    }

    CompletableFuture<Long> ask() {
        CompletableFuture<Long> done = new CompletableFuture<>();
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new LogException("the log is closed"));
            }
            asked.add(done);
        }
        nudge.run();
        return done;
    }

    synchronized void grown(int by) {
        bytes += by;
    }

    synchronized boolean due() {
        return thread == null && !closed && (bytes >= afterBytes || !asked.isEmpty());
    }

    /** Cuts the state, which is that after {@code index}; for the thread that applies. */
    void begin(long term, long index) {
        List<CompletableFuture<Long>> waiting;
        synchronized (this) {
            waiting = List.copyOf(asked);
            asked.clear();
            bytes = 0;
        }
        if (snapshots.newest().filter(newest -> newest.index() == index).isPresent()) {
            waiting.forEach(done -> done.complete(index));
            return;
        }
        Replica.Cut cut;
        try {
            cut = replica.cut();
        } catch (RuntimeException | Error e) {
            waiting.forEach(done -> done.completeExceptionally(e));
            throw e;
        }
        Thread started = new Thread(() -> run(cut, term, index, waiting), "holdfast-disk-snapshot");
        synchronized (this) {
            thread = started;
        }
        started.start();
    }

    /** Gives up a snapshot that is being written, and waits until it is. */
    @Override
    public void close() {
        List<CompletableFuture<Long>> waiting;
        Thread running;
        synchronized (this) {
            closed = true;
            waiting = List.copyOf(asked);
            asked.clear();
            running = thread;
        }
        waiting.forEach(done -> done.completeExceptionally(new LogException("the log is closed")));
        if (running != null) {
            ThreadJoin.join(running);
        }
    }

    private void run(Replica.Cut cut, long term, long index, List<CompletableFuture<Long>> waiting) {
        LogException failure = null;
        try (cut) {
            snapshots.write(term, index, cut, () -> closed);
            SegmentFile.deleteCovered(directory, index);
        } catch (IOException | RuntimeException | Error e) {
            failure = new LogException("the snapshot at index " + index + " was not completed: " + e.getMessage(), e);
        }
        synchronized (this) {
            thread = null;
        }
        nudge.run();
        if (failure == null) {
            LOG.info("{}: snapshot at index {}", directory, index);
            waiting.forEach(done -> done.complete(index));
            return;
        }
        if (!closed) {
            LOG.error("{}: {}; the log grows meanwhile", directory, failure.getMessage(), failure);
        }
        for (CompletableFuture<Long> done : waiting) {
            done.completeExceptionally(failure);
        }
    }
}
