package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.SnapshotFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A full member: its replica follows the log, and is written to a snapshot from time to time.
 *
 * <p>A snapshot is cut on the thread that applies, written by a worker while that thread goes on, and published
 * on the applying thread again, when the engine asks for it: only then does the engine forget the log before it.
 */
final class FullDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(FullDuty.class);
    private static final long NONE = -1;

    private final Replica replica;
    private final SnapshotStore store;
    private final Optional<Path> seed;
    private final long afterBytes;
    private final ExecutorService worker;
    private final SnapshotRequest request;

    /** Of the thread that applies. */
    private long bytes;

    private final AtomicReference<@Nullable SnapshotWriting> writing = new AtomicReference<>();
    private volatile boolean fetching;
    private volatile long fetchedMark;
    private final List<Waiter> waiters = new ArrayList<>();

    /** Somebody who wants a snapshot that covers an index. */
    private record Waiter(long index, CompletableFuture<Long> done) {}

    FullDuty(
            Replica replica,
            SnapshotStore store,
            Optional<Path> seed,
            long afterBytes,
            ExecutorService worker,
            SnapshotRequest request) {
        this.seed = seed;
        this.replica = replica;
        this.store = store;
        this.afterBytes = afterBytes;
        this.worker = worker;
        this.request = request;
    }

    @Override
    public Optional<TermIndex> open() throws IOException {
        store.open();
        if (seed.isPresent() && store.latest().isEmpty()) {
            plant(seed.get());
        }
        return store.latest().isEmpty()
                ? Optional.empty()
                : Optional.of(load(store.latest().get()));
    }

    /** As if the first entry had made this state: whoever has no snapshot cannot follow the log without it. */
    private void plant(Path snapshot) throws IOException {
        Path copy = store.unfinished("seed");
        Files.copy(snapshot, copy, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel written = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        store.publish(0, 0, copy, SnapshotStore.checksum(copy));
    }

    @Override
    public void apply(TermIndex at, Entry entry, int size) {
        if (entry instanceof Entry.Replicated replicated) {
            replica.apply(at.getTerm(), at.getIndex(), replicated.body().toByteArray());
        }
        bytes += size;
        if (bytes >= afterBytes) {
            begin(at);
        }
    }

    private void begin(TermIndex at) {
        if (writing.get() == null && !fetching) {
            bytes = 0;
            SnapshotWriting begun = new SnapshotWriting(at, replica.cut(), store.unfinished("cut"), this::written);
            writing.set(begun);
            worker.execute(begun);
        }
    }

    private void written(SnapshotWriting done) {
        if (done.isReady()) {
            request.send();
        } else {
            abandoned(done, done.problem());
        }
    }

    @Override
    public long snapshot(TermIndex applied, RaftServer.Division division) {
        SnapshotWriting done = writing.get();
        long forget = done != null && done.isReady() ? publish(done, division) : NONE;
        if (someoneWaits()) {
            begin(applied);
            if (fetching) {
                refused("one is being fetched");
            }
        }
        return forget;
    }

    private long publish(SnapshotWriting done, RaftServer.Division division) {
        long previous = store.latest().map(SnapshotFile::index).orElse(NONE);
        long index = done.at().getIndex();
        try {
            store.publish(done.at().getTerm(), index, done.file(), done.checksum());
            store.removeOld();
        } catch (IOException e) {
            abandoned(done, e.toString());
            return NONE;
        }
        writing.compareAndSet(done, null);
        served(store.latest().map(SnapshotFile::index).orElse(NONE));
        // Members that lag less than one snapshot find what they need in the log.
        return Math.min(index, Math.max(previous, Followers.lowestCommit(division)));
    }

    @Override
    public CompletableFuture<Long> requestSnapshot(long applied) {
        long latest = store.latest().map(SnapshotFile::index).orElse(NONE);
        if (latest >= applied) {
            return CompletableFuture.completedFuture(latest);
        }
        if (applied <= 0) {
            return CompletableFuture.failedFuture(LogException.refused("no snapshot: nothing to write yet"));
        }
        Waiter waiter = new Waiter(applied, new CompletableFuture<>());
        synchronized (waiters) {
            waiters.add(waiter);
        }
        request.send();
        return waiter.done();
    }

    private boolean someoneWaits() {
        synchronized (waiters) {
            return !waiters.isEmpty();
        }
    }

    private void served(long index) {
        List<Waiter> served;
        synchronized (waiters) {
            served = waiters.stream().filter(waiter -> waiter.index() <= index).toList();
            waiters.removeAll(served);
        }
        served.forEach(waiter -> waiter.done().complete(index));
    }

    private void refused(String reason) {
        List<Waiter> refused;
        synchronized (waiters) {
            refused = List.copyOf(waiters);
            waiters.clear();
        }
        refused.forEach(waiter -> waiter.done().completeExceptionally(new LogException("no snapshot: " + reason)));
    }

    private void abandoned(SnapshotWriting abandoned, String why) {
        LOG.error("the snapshot at {} was not written, the log stays: {}", abandoned.at(), why);
        abandoned.discard();
        writing.compareAndSet(abandoned, null);
        refused(why);
    }

    @Override
    public void snapshotRefused(String reason) {
        SnapshotWriting current = writing.get();
        if (current != null && current.isReady()) {
            abandoned(current, reason);
        } else {
            refused(reason);
        }
    }

    @Override
    public void remind() {
        served(store.latest().map(SnapshotFile::index).orElse(NONE));
        SnapshotWriting current = writing.get();
        if (current == null ? someoneWaits() : current.isReady()) {
            request.send();
        }
    }

    @Override
    public CompletableFuture<TermIndex> fetch(Sources sources, TermIndex first) {
        fetching = true;
        return CompletableFuture.supplyAsync(() -> fetchNow(sources, first), worker)
                .whenComplete((last, e) -> {
                    if (e != null) {
                        fetching = false;
                    }
                });
    }

    private TermIndex fetchNow(Sources sources, TermIndex first) {
        try {
            Path into = store.unfinished("fetched");
            SnapshotFile fetched = sources.fetch(first.getIndex() - 1, into);
            String checksum = SnapshotStore.checksum(fetched.path());
            if (!store.publish(fetched.term(), fetched.index(), fetched.path(), checksum)) {
                throw new LogException("fetched a snapshot at " + fetched.index() + ", and a newer one is here");
            }
            fetchedMark = Elapsed.mark();
            return TermIndex.valueOf(fetched.term(), fetched.index());
        } catch (IOException e) {
            throw new LogException("cannot fetch a snapshot", e);
        }
    }

    @Override
    public TermIndex reload() throws IOException {
        // A cut reads the state that is about to be replaced.
        SnapshotWriting open = writing.get();
        if (open != null) {
            open.stop();
            abandoned(open, "a newer one was fetched");
        }
        TermIndex loaded = load(store.latest().orElseThrow());
        store.removeOld();
        fetchedMark = 0;
        fetching = false;
        return loaded;
    }

    private TermIndex load(SnapshotFile snapshot) throws IOException {
        try (InputStream in = store.read(snapshot)) {
            replica.load(snapshot.term(), snapshot.index(), in);
        } catch (LogException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw SnapshotStore.damaged(snapshot.path(), "it cannot be loaded: " + e, e);
        }
        bytes = 0;
        return TermIndex.valueOf(snapshot.term(), snapshot.index());
    }

    @Override
    public Optional<SnapshotFile> latest() {
        return store.latest();
    }

    @Override
    public long waitingMillis() {
        return Elapsed.millisSince(fetchedMark);
    }

    @Override
    public void close() {
        SnapshotWriting open = writing.getAndSet(null);
        if (open != null) {
            open.stop();
            open.discard();
        }
        refused("the log was closed");
    }
}
