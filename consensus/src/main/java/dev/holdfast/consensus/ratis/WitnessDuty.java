package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.SnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A witness: it keeps the log for members that lag, and no state.
 *
 * <p>It may hold the only copy of an entry that a full member still needs, so it forgets only what the leader
 * says all full voters have: {@link Entry.Floor}. What it forgot is an empty file named after the last entry
 * gone, in place of a snapshot. It never hands that out.
 */
final class WitnessDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(WitnessDuty.class);
    private static final long NONE = -1;
    private static final String EMPTY = "0 0";

    private final ExecutorService worker;
    private final SnapshotRequest request;
    private final SnapshotStore store;
    private long floor = NONE;
    private volatile long fetchedNanos;

    WitnessDuty(SnapshotStore store, ExecutorService worker, SnapshotRequest request) {
        this.store = store;
        this.worker = worker;
        this.request = request;
    }

    @Override
    public Optional<TermIndex> open() throws IOException {
        store.open();
        return store.latest().map(forgotten -> TermIndex.valueOf(forgotten.term(), forgotten.index()));
    }

    @Override
    public void apply(TermIndex at, Entry entry, int size) {
        if (entry instanceof Entry.Floor said && said.index() > floor) {
            floor = said.index();
            request.send();
        }
    }

    @Override
    public long snapshot(TermIndex applied, RaftServer.Division division) {
        long upTo = Math.min(floor, applied.getIndex());
        if (upTo <= latest().map(SnapshotFile::index).orElse(NONE)) {
            return NONE;
        }
        TermIndex last = division.getRaftLog().getTermIndex(upTo);
        if (last == null) {
            return NONE;
        }
        try {
            forget(last);
            return last.getIndex();
        } catch (IOException e) {
            LOG.error("cannot forget the log up to {}; it stays", last, e);
            return NONE;
        }
    }

    private void forget(TermIndex last) throws IOException {
        Path file = store.unfinished("forgotten");
        SnapshotStore.writeFlushed(file, "");
        store.publish(last.getTerm(), last.getIndex(), file, EMPTY);
        store.removeOld();
    }

    @Override
    public CompletableFuture<Long> requestSnapshot(long applied) {
        return CompletableFuture.failedFuture(LogException.refused("a witness has no state to write"));
    }

    @Override
    public void snapshotRefused(String reason) {
        LOG.debug("the log stays for now: {}", reason);
    }

    @Override
    public void remind() {}

    /** Fetches a state only to learn which entry it ends with: that one is committed, so the log may start there. */
    @Override
    public CompletableFuture<TermIndex> fetch(Sources sources, TermIndex first) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Path into = store.unfinished("fetched");
                        SnapshotFile fetched = sources.fetch(first.getIndex() - 1, into);
                        Files.deleteIfExists(fetched.path());
                        TermIndex last = TermIndex.valueOf(fetched.term(), fetched.index());
                        forget(last);
                        fetchedNanos = Elapsed.mark();
                        return last;
                    } catch (IOException e) {
                        throw new LogException("cannot learn where the log begins", e);
                    }
                },
                worker);
    }

    @Override
    public TermIndex reload() {
        fetchedNanos = 0;
        SnapshotFile forgotten = latest().orElseThrow();
        return TermIndex.valueOf(forgotten.term(), forgotten.index());
    }

    @Override
    public Optional<SnapshotFile> latest() {
        return store.latest();
    }

    @Override
    public long waitingMillis() {
        return Elapsed.millisSince(fetchedNanos);
    }

    @Override
    public void close() {}
}
