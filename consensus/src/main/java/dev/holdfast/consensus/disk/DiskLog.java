package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.DirectoryLock;
import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.consensus.SnapshotFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a node that is alone, kept on its disk: nothing is answered before it is there.
 *
 * <p>Started once. It leads from the end of {@link #start} on, in a term that no start before it had. What was answered
 * survives a crash; nothing survives the loss of the disk, because there is no other copy.
 */
public final class DiskLog implements ReplicatedLog {
    private static final Logger LOG = LoggerFactory.getLogger(DiskLog.class);

    private final DiskSettings settings;
    private final Replica replica;
    private final FileOpener files;
    private final Intake intake = new Intake();
    private volatile Role role = new Role.Following(0, Optional.empty());
    private volatile @Nullable Running running;

    /** What there is between start and close. */
    private record Running(DiskSnapshots snapshots, Compactor compactor, Commits commits, Thread thread) {}

    public DiskLog(DiskSettings settings, Replica replica) {
        this(settings, replica, FileChannel::open);
    }

    DiskLog(DiskSettings settings, Replica replica, FileOpener files) {
        this.settings = settings;
        this.replica = replica;
        this.files = files;
    }

    @Override
    public void start() throws IOException {
        if (running != null) {
            throw new IllegalStateException("a log is started once");
        }
        Directories.create(settings.directory());
        // Also when it was there: whoever made it need not have flushed its name.
        Directories.syncParent(settings.directory());
        DirectoryLock lock = DirectoryLock.acquire(settings.directory());
        try {
            take(lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private void take(DirectoryLock lock) throws IOException {
        TermFile termFile = TermFile.in(settings.directory());
        long lastTerm = termFile.read();
        change(new Role.Following(lastTerm, Optional.empty()));
        DiskSnapshots snapshots = new DiskSnapshots(settings.directory(), files);
        Recovery recovery = new Recovery(settings.directory(), files, snapshots, replica, lastTerm);
        recovery.run();

        long term = lastTerm + 1;
        termFile.write(term);
        Appender appender = Appender.openTerm(settings, files, term, recovery.lastIndex());
        Compactor compactor = new Compactor(settings, snapshots, replica, recovery.replayedBytes(), intake::nudge);
        Commits commits = new Commits(replica, intake, appender, compactor, term);
        Thread thread = new Thread(() -> write(lock, appender, compactor, commits), "holdfast-disk-log");
        running = new Running(snapshots, compactor, commits, thread);
        intake.open(term);
        change(new Role.Leading(term));
        thread.start();
    }

    /** The life of the writing thread, which also closes all there is: nobody else uses it then. */
    private void write(DirectoryLock lock, Appender appender, Compactor compactor, Commits commits) {
        try (lock;
                appender;
                compactor) {
            commit(commits);
        } catch (IOException e) {
            LOG.warn("{}: not closed as it should be; nothing that was acknowledged is lost", settings.directory(), e);
        }
    }

    /** A failure is told before anything is closed: that may take long on a disk that fails. */
    private void commit(Commits commits) {
        Role after = new Role.Following(commits.term(), Optional.empty());
        try {
            commits.run();
            role = after;
        } catch (RuntimeException | Error e) {
            change(after);
            replica.failed(e instanceof LogException ? String.valueOf(e.getMessage()) : e.toString(), e);
        }
    }

    private void change(Role next) {
        role = next;
        replica.roleChanged(next);
    }

    /** The entry is not copied: whoever proposes it leaves it alone from then on. */
    @Override
    public CompletableFuture<Outcome> propose(long term, byte[] entry) {
        return intake.offer(term, entry);
    }

    @Override
    public LogStatus status() {
        Running now = running;
        return new LogStatus(
                "single node, not replicated",
                role,
                now == null ? 0 : now.commits().applied(),
                latestSnapshot().map(SnapshotFile::index).orElse(-1L),
                List.of(settings.self()),
                0,
                Map.of(),
                Map.of());
    }

    @Override
    public CompletableFuture<Void> reconfigure(List<Member> expected, List<Member> next) {
        return alone("its configuration cannot be changed");
    }

    @Override
    public CompletableFuture<Void> transferLeadership(Optional<NodeId> to, Duration atMost) {
        return alone("leadership cannot be handed over");
    }

    @Override
    public CompletableFuture<Long> snapshot() {
        Running now = running;
        return now == null
                ? CompletableFuture.failedFuture(new LogException("the log is not started"))
                : now.compactor().ask();
    }

    /** The next snapshot deletes this file: open it at once, and ask again if it is gone. */
    @Override
    public Optional<SnapshotFile> latestSnapshot() {
        Running now = running;
        return now == null ? Optional.empty() : now.snapshots().newest();
    }

    /** Writes, applies and answers what was proposed before; may be called more than once. */
    @Override
    public void close() {
        intake.end("the log is closed");
        Running now = running;
        if (now != null) {
            ThreadJoin.join(now.thread());
        }
    }

    private static CompletableFuture<Void> alone(String so) {
        return CompletableFuture.failedFuture(LogException.refused("a single-node log has no other members: " + so));
    }
}
