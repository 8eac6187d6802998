package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** The end of the log: gives indexes to entries and has them on disk. Used by one thread at a time. */
final class Appender implements AutoCloseable {
    private final Path directory;
    private final long segmentBytes;
    private final FileOpener files;
    private final long term;
    private long lastIndex;
    private OpenSegment segment;
    private boolean broken;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);

    private Appender(DiskSettings settings, FileOpener files, long term, long lastIndex) throws IOException {
        this.directory = settings.directory();
        this.segmentBytes = settings.segmentBytes();
        this.files = files;
        this.term = term;
        this.lastIndex = lastIndex;
        this.segment = OpenSegment.create(SegmentFile.in(directory, lastIndex + 1), files);
    }

    /** Begins a file after {@code lastIndex}, and has the first entry of a term in it. */
    static Appender openTerm(DiskSettings settings, FileOpener files, long term, long lastIndex) throws IOException {
        Appender appender = new Appender(settings, files, term, lastIndex);
        try {
            appender.append(LogRecord.openingTerm(term, lastIndex + 1));
        } catch (RuntimeException e) {
            appender.close();
            throw e;
        }
        return appender;
    }

    long lastIndex() {
        return lastIndex;
    }

    /**
     * Makes entries durable, all of them or none.
     *
     * @return how many bytes the log has grown by
     */
    int append(List<byte[]> entries) {
        return append(new LogRecord(term, lastIndex + 1, entries));
    }

    /** Begins a new file, so that a snapshot taken now covers all the files before it. */
    void roll() {
        if (segment.size() == 0) {
            return;
        }
        try {
            segment.seal();
            segment = OpenSegment.create(SegmentFile.in(directory, lastIndex + 1), files);
        } catch (IOException e) {
            throw failure("cannot begin a new file after " + segment.path(), e);
        }
    }

    /** Ends the last file where its last record ends; a file that failed stays as it is. */
    @Override
    public void close() throws IOException {
        if (broken) {
            segment.close();
        } else {
            segment.seal();
        }
    }

    private int append(LogRecord record) {
        int bytes = RecordFormat.bytesOf(record);
        if (segment.size() > 0 && segment.size() + bytes > segmentBytes) {
            roll();
        }
        if (bytes > buffer.capacity()) {
            buffer = ByteBuffer.allocateDirect(Integer.highestOneBit(bytes - 1) * 2);
        }
        RecordFormat.encode(record, buffer.clear());
        try {
            segment.append(buffer.flip());
        } catch (IOException e) {
            throw failure("cannot write " + segment.path(), e);
        }
        lastIndex = record.lastIndex();
        return bytes;
    }

    private LogException failure(String what, IOException e) {
        broken = true;
        return new LogException(
                what + ": " + e.getMessage()
                        + ". Nothing is acknowledged from here on: repair the disk or make room on it, then start this "
                        + "node again",
                e);
    }
}
