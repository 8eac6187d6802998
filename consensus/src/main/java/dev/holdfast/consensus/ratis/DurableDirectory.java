package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the engine's log directory survive a power cut.
 *
 * <p>The engine flushes its files but never their directory: a new segment, or the rename that puts a new vote
 * in place, may be forgotten though the bytes are safe. So the directory is flushed from here, before anything
 * that depends on it is acknowledged. And what it finds in its files when it starts it takes for flushed, though a
 * process that was killed may have written it and no more.
 */
class DurableDirectory {
    /** How many writes the engine may have queued when it queues a truncation behind them. */
    static final int MAX_QUEUED_WRITES = 4096;

    private final Path directory;
    private final List<Path> above = new ArrayList<>();
    private final AtomicInteger watchful = new AtomicInteger();
    private volatile @Nullable Path openSegment;
    private volatile boolean rooted;

    /**
     * The log's directory.
     *
     * @param top the directory given to the engine, in which it made this one; itself it may be new
     */
    DurableDirectory(Path directory, Path top) {
        this.directory = directory;
        for (Path at = directory.getParent(); at != null && at.startsWith(top); at = at.getParent()) {
            above.add(at);
        }
        Path parent = top.getParent();
        if (parent != null) {
            above.add(parent);
        }
    }

    /** Flushes the names in a directory. */
    static void flush(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Flushes the names in this directory, and once those by which it is found. */
    void flush() throws IOException {
        flush(directory);
        if (!rooted) {
            for (Path parent : above) {
                flush(parent);
            }
            rooted = true;
        }
    }

    /** Before the engine reads the log: from then on it counts all of it, and acknowledges it to others. */
    void flushLog() throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "log_*")) {
            for (Path file : files) {
                flushFile(file);
            }
        }
        flush();
    }

    /** Also what another process wrote to it. */
    void flushFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            throw new IOException("cannot flush " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * The log is about to lose its end: once all that is queued now has been written, files are cut, renamed,
     * deleted, and perhaps made again under the same name.
     */
    void truncating() {
        watchful.set(MAX_QUEUED_WRITES + 1);
    }

    /**
     * Before entries count as written: flushes the directory if they may lie in a segment it does not know yet.
     * A segment that is full or cut gets another name, so the old name tells by its absence.
     */
    void beforeAcknowledging() throws IOException {
        Path known = openSegment;
        boolean changed = watchful.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (changed || known == null || !Files.exists(known)) {
            flush();
            openSegment = findOpenSegment();
        }
    }

    private @Nullable Path findOpenSegment() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "log_inprogress_*")) {
            for (Path file : files) {
                return file;
            }
        }
        return null;
    }
}
