package dev.holdfast.datastore;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.GuardException;
import dev.holdfast.guard.Marks;
import dev.holdfast.guard.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values by key, and who has entered: in memory, and in a text file before anybody is told.
 *
 * <p>One access is inside at a time. The mark and the value of a write are one line, so they are there together or not
 * at all.
 */
final class Store implements AutoCloseable {
    static final int MAX_KEYS = 1_000_000;
    static final long MAX_BYTES = 256L << 20;

    /** How much longer the file may be than what it says, before it is rewritten. */
    private static final int REWRITE_FACTOR = 4;

    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    /** @param bytes of the line in the file */
    private record Kept(Line line, int bytes) {}

    private final Map<String, Kept> kept = new HashMap<>();
    private final TextFile file;
    private final long rewriteFrom;
    private long liveBytes;
    private long rewriteAt;

    private Store(Path directory, long rewriteFrom) throws IOException {
        this.rewriteFrom = rewriteFrom;
        this.file = TextFile.open(directory, this::remember);
        this.rewriteAt = nextRewrite();
    }

    /**
     * Opens a directory, created if necessary.
     *
     * @param rewriteFrom no shorter file than this is rewritten
     * @throws IOException if it cannot be used; the message says why
     */
    static Store open(Path directory, long rewriteFrom) throws IOException {
        return new Store(directory, rewriteFrom);
    }

    /** What is stored, whoever asks. */
    synchronized Optional<Value> look(String key) {
        Kept found = kept.get(key);
        return found == null
                ? Optional.empty()
                : Optional.ofNullable(found.line().value());
    }

    /**
     * Enters and reads.
     *
     * @throws GuardException if the access is refused
     */
    synchronized Optional<Value> read(Access access) throws IOException {
        Marks before = marks(access.key());
        Marks marks = before.enter(access).orRefuse(access).marks();
        if (!marks.equals(before)) {
            keep(new Line(access.key(), marks.text(), look(access.key()).orElse(null)));
        }
        return look(access.key());
    }

    /**
     * Enters and writes.
     *
     * @return whether this write was done before; then it was not done again
     * @throws GuardException if the access is refused; then nothing was written
     * @throws IOException if it could not be written; then what was there is there still
     */
    synchronized Entry write(Access access, String clientId, String data) throws IOException {
        Verdict.Entered entered = marks(access.key()).enter(access).orRefuse(access);
        if (entered.entry() == Entry.NEW) {
            Value value = new Value(clientId, access.token(), data);
            keep(new Line(access.key(), entered.marks().text(), value));
        }
        return entered.entry();
    }

    private Marks marks(String key) {
        Kept found = kept.get(key);
        return found == null ? Marks.NONE : Marks.parse(found.line().marks());
    }

    private void keep(Line line) throws IOException {
        requireRoom(line);
        file.append(line);
        remember(line);
        if (file.length() >= rewriteAt) {
            rewrite();
        }
    }

    private void requireRoom(Line line) {
        @Nullable Kept before = kept.get(line.key());
        if (before == null && kept.size() >= MAX_KEYS) {
            throw new StoreFullException("no room for key '" + line.key() + "': the limit is " + MAX_KEYS + " keys");
        }
        long then = liveBytes - (before == null ? 0 : before.bytes()) + line.bytes().length;
        if (then > MAX_BYTES) {
            throw new StoreFullException("no room for key '" + line.key() + "': the limit is " + MAX_BYTES
                    + " bytes in all, this would make " + then);
        }
    }

    private void remember(Line line) {
        Kept now = new Kept(line, line.bytes().length);
        Kept before = kept.put(line.key(), now);
        liveBytes += now.bytes() - (before == null ? 0 : before.bytes());
    }

    /** Only what is still true is kept. Should it fail, the longer file says the same. */
    private void rewrite() {
        try {
            file.rewrite(kept.values().stream().map(Kept::line).toList());
        } catch (IOException e) {
            LOG.warn("the file was not rewritten, and keeps growing: {}", e.getMessage());
        }
        rewriteAt = nextRewrite();
    }

    private long nextRewrite() {
        long due = Math.max(rewriteFrom, REWRITE_FACTOR * liveBytes);
        // After a failure it is tried again when the file has doubled, not at each write.
        return file.length() < due ? due : 2 * file.length();
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
