package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.stored.StoredEntry;
import dev.holdfast.consensus.stored.StoredEntry.Content;
import dev.holdfast.consensus.stored.StoredLog;
import dev.holdfast.consensus.stored.StoredSegment;
import dev.holdfast.consensus.stored.StoredSegment.Damage;
import dev.holdfast.consensus.stored.StoredSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Reads the log of a node that is alone, while it is stopped, and changes nothing. */
public final class DiskLogReader {
    private final Path directory;
    private final Consumer<StoredEntry> entries;
    private final List<String> problems = new ArrayList<>();
    private long nextIndex = -1;

    private DiskLogReader(Path directory, Consumer<StoredEntry> entries) {
        this.directory = directory;
        this.entries = entries;
    }

    /** Reads all of it, telling each entry in order. */
    public static StoredLog read(Path directory, Consumer<StoredEntry> entries) throws IOException {
        return new DiskLogReader(directory, entries).read();
    }

    private StoredLog read() throws IOException {
        List<StoredSnapshot> snapshots = new ArrayList<>();
        for (SnapshotFile file : DiskSnapshots.list(directory)) {
            snapshots.add(snapshot(file));
        }
        List<StoredSegment> segments = new ArrayList<>();
        List<SegmentFile> files = SegmentFile.list(directory);
        for (SegmentFile file : files) {
            segments.add(segment(file, file.equals(files.get(files.size() - 1))));
        }
        long known = snapshots.stream().mapToLong(StoredSnapshot::index).max().orElse(0);
        if (!segments.isEmpty() && segments.get(0).firstIndex() > known + 1) {
            problems.add("the entries from " + (known + 1) + " to "
                    + (segments.get(0).firstIndex() - 1) + " are missing before the first file of the log");
        }
        // What one disk has flushed is committed: there is nobody else to ask.
        OptionalLong committed = nextIndex > 0 ? OptionalLong.of(nextIndex - 1) : OptionalLong.empty();
        return new StoredLog(
                "disk", directory, term(), Optional.empty(), committed, List.of(), snapshots, segments, problems);
    }

    private long term() throws IOException {
        try {
            return TermFile.in(directory).read();
        } catch (LogException e) {
            problems.add(String.valueOf(e.getMessage()));
            return 0;
        }
    }

    private static StoredSnapshot snapshot(SnapshotFile file) throws IOException {
        Optional<String> damage = Optional.empty();
        try {
            DiskSnapshots.verify(file.path());
        } catch (LogException e) {
            damage = Optional.of(String.valueOf(e.getMessage()));
        }
        return new StoredSnapshot(file.path(), Files.size(file.path()), file.term(), file.index(), damage);
    }

    private StoredSegment segment(SegmentFile file, boolean newest) throws IOException {
        if (nextIndex >= 0 && file.firstIndex() != nextIndex) {
            problems.add(file.path() + " should begin with entry " + nextIndex + ": a file of the log is missing");
        }
        nextIndex = file.firstIndex();
        try (SegmentReader reader = new SegmentReader(file.path())) {
            long offset = 0;
            SegmentReader.Step step = reader.next();
            while (step instanceof SegmentReader.Step.Whole whole) {
                tell(whole.record(), file.path(), offset);
                offset = reader.offset();
                step = reader.next();
            }
            return new StoredSegment(
                    file.path(),
                    Files.size(file.path()),
                    file.firstIndex(),
                    nextIndex - file.firstIndex(),
                    damage(step, offset, newest));
        }
    }

    /** A tear is only at the end of the newest file what a crash leaves. */
    private static Optional<Damage> damage(SegmentReader.Step step, long offset, boolean newest) {
        return switch (step.kind()) {
            case WHOLE, END -> Optional.empty();
            case TORN -> Optional.of(new Damage(offset, ((SegmentReader.Step.Torn) step).why(), newest));
            case DAMAGED -> Optional.of(new Damage(offset, ((SegmentReader.Step.Damaged) step).why(), false));
        };
    }

    private void tell(LogRecord record, Path file, long offset) {
        if (record.entries().isEmpty()) {
            entries.accept(new StoredEntry(
                    record.term(), record.firstIndex(), file, offset, new Content.Engine("term begins")));
        }
        long index = record.firstIndex();
        for (byte[] entry : record.entries()) {
            entries.accept(new StoredEntry(record.term(), index++, file, offset, new Content.Replicated(entry)));
        }
        nextIndex = record.lastIndex() + 1;
    }
}
