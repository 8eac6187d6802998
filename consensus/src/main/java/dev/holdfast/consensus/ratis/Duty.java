package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.SnapshotFile;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * What a member does with the log it keeps: a full member has a state that follows it, a witness has none.
 *
 * <p>{@link #open}, {@link #apply}, {@link #snapshot} and {@link #reload} are called by one thread at a time.
 */
interface Duty extends AutoCloseable {

    /**
     * Takes up what the directory holds.
     *
     * @return the last entry contained in it, empty for none
     */
    Optional<TermIndex> open() throws IOException;

    /** One committed entry; {@code size} is what it takes in the log. */
    void apply(TermIndex at, Entry entry, int size);

    /**
     * The engine's chance to forget.
     *
     * @return up to where the log may go, -1 for nothing
     */
    long snapshot(TermIndex applied, RaftServer.Division division);

    /** Has a snapshot written that covers at least what is applied now; gives its index. */
    CompletableFuture<Long> requestSnapshot(long applied);

    /** The engine had a reason to refuse {@link #snapshot}. */
    void snapshotRefused(String reason);

    /** Asks the engine again if something is ready for {@link #snapshot}: it forgets a request made too early. */
    void remind();

    /**
     * The leader no longer has the entries that come next here.
     *
     * @param first the first it still has
     * @return the last entry covered by what was fetched; {@link #reload} follows
     */
    CompletableFuture<TermIndex> fetch(Sources sources, TermIndex first);

    /** Takes up what was fetched. */
    TermIndex reload() throws IOException;

    /** What the log may build on here. */
    Optional<SnapshotFile> latest();

    /** How long something fetched has been waiting to be taken up, 0 if nothing is. */
    long waitingMillis();

    @Override
    void close();
}
