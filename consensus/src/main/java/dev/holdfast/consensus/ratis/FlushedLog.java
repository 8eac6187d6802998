package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;

/**
 * How far this member's log is on its disk.
 *
 * <p>The engine counts that itself, and counts too much while the end of its log is cut off in memory and not yet on
 * disk: what takes the place of the old entries then has the index of something that was flushed.
 */
final class FlushedLog {
    private static final long NOWHERE = Long.MAX_VALUE;
    /** Who waits for longer has been given up by the one who asked. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final Executor LATER = CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS);

    private volatile RaftServer.@Nullable Division division;
    private long cutAt = NOWHERE;
    private int cuts;

    void open(RaftServer.Division opened) {
        division = opened;
    }

    private RaftLog log() {
        RaftServer.Division opened = division;
        if (opened == null) {
            throw new IllegalStateException("not started");
        }
        return opened.getRaftLog();
    }

    /** The last entry that a power cut would leave, and all before it. */
    long index() {
        while (true) {
            int cutsBefore;
            long cut;
            synchronized (this) {
                cutsBefore = cuts;
                cut = cutAt;
            }
            // After the cut was looked at: once it is on disk, the engine's count is right again. Not under the lock,
            // which is also taken while the engine's own is held.
            long index = Math.min(log().getFlushIndex(), cut - 1);
            if (cuts() == cutsBefore) {
                return index;
            }
        }
    }

    /** Whether nothing is in memory alone. */
    boolean isComplete() {
        TermIndex last = log().getLastEntryTermIndex();
        return last == null || last.getIndex() <= index();
    }

    /** The log loses its end from this entry on; called while entries are taken. */
    synchronized void cutting(long index) {
        cutAt = Math.min(cutAt, index);
        cuts++;
    }

    synchronized int cuts() {
        return cuts;
    }

    /** All cuts up to this one are on disk. */
    synchronized void cut(int upTo) {
        if (cuts == upTo) {
            cutAt = NOWHERE;
        }
    }

    /** A snapshot has taken the place of the log, and of whatever was to be done to it. */
    synchronized void replaced() {
        cutAt = NOWHERE;
    }

    /** Completes when this entry is on disk, or fails if that takes longer than anybody waits. */
    CompletableFuture<Void> await(long index) {
        return await(index, System.nanoTime());
    }

    private CompletableFuture<Void> await(long index, long since) {
        if (index() >= index) {
            return CompletableFuture.completedFuture(null);
        }
        if (System.nanoTime() - since > LONGEST_WAIT_NANOS) {
            return CompletableFuture.failedFuture(new IOException(
                    "the disk stands still: entry " + index + " is not flushed, only those up to " + index()));
        }
        // Seldom: the engine answers an entry when it is flushed, but one that is sent again at once.
        return CompletableFuture.completedFuture(null).thenComposeAsync(again -> await(index, since), LATER);
    }
}
