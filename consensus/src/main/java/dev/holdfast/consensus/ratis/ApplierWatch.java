package dev.holdfast.consensus.ratis;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.ApplierSignal;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the engine's applying thread if it sleeps while something is committed.
 *
 * <p>The engine signals that thread after each commit. A signal that comes when the thread has looked and does not yet
 * sleep is lost, and it sleeps for 100 ms. So there is a second look from here, and another signal, every few
 * milliseconds while entries are being written or not yet applied; on an idle log nothing runs.
 */
final class ApplierWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApplierWatch.class);
    private static final long SHORTEST_MILLIS = 4;
    /** While entries wait for others to have them, or for others to say so. */
    private static final long LONGEST_MILLIS = 16;

    private final ScheduledThreadPoolExecutor thread;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile boolean written;
    private volatile RaftServer.@Nullable Division division;

    /** Of the thread that looks. */
    private long pauseMillis;

    ApplierWatch(String name) {
        // Who writes the log must not fail because this is closed.
        this.thread = new ScheduledThreadPoolExecutor(
                1, Threads.named(name + "-applier-watch"), new ThreadPoolExecutor.DiscardPolicy());
    }

    void open(RaftServer.Division opened) {
        division = opened;
    }

    /** Entries are written here, and will be committed; called by the thread that flushes them, each time. */
    void written() {
        written = true;
        if (!looking.get()) {
            begin();
        }
    }

    /** Whether there is anything to look after. */
    boolean isLooking() {
        return looking.get();
    }

    private void begin() {
        if (looking.compareAndSet(false, true)) {
            lookIn(SHORTEST_MILLIS);
        }
    }

    private void lookIn(long millis) {
        ScheduledFuture<?> unused = thread.schedule(this::look, millis, TimeUnit.MILLISECONDS);
    }

    private void look() {
        boolean fresh = written;
        written = false;
        boolean waiting = false;
        boolean late = false;
        RaftServer.Division running = division;
        try {
            if (running != null) {
                long applied = running.getInfo().getLastAppliedIndex();
                TermIndex last = running.getRaftLog().getLastEntryTermIndex();
                waiting = last != null && last.getIndex() > applied;
                late = running.getRaftLog().getLastCommittedIndex() > applied;
                if (late) {
                    ApplierSignal.send(running);
                }
            }
        } catch (RuntimeException e) {
            // The engine may be starting or closing under our hands; the next entry brings the next look.
            LOG.debug("a look at what is committed was skipped", e);
        }
        if (fresh || late) {
            pauseMillis = SHORTEST_MILLIS;
            lookIn(pauseMillis);
        } else if (waiting) {
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_MILLIS);
            lookIn(pauseMillis);
        } else {
            looking.set(false);
            // What came since this look began found it under way, and left it at that.
            if (written) {
                begin();
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
