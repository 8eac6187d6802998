package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.ratis.StoredFiles.File;
import dev.holdfast.consensus.stored.StoredEntry;
import dev.holdfast.consensus.stored.StoredEntry.Content;
import dev.holdfast.consensus.stored.StoredLog;
import dev.holdfast.consensus.stored.StoredSegment;
import dev.holdfast.consensus.stored.StoredSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** Reads the log of a member of a cluster, while it is stopped, and changes nothing. */
public final class RatisLogReader {
    private final Path root;
    private final Consumer<StoredEntry> entries;
    private final List<String> problems = new ArrayList<>();
    private long nextIndex = -1;
    private OptionalLong committed = OptionalLong.empty();

    private RatisLogReader(Path root, Consumer<StoredEntry> entries) {
        this.root = root;
        this.entries = entries;
    }

    /**
     * Reads all of it, telling each entry in order.
     *
     * @param directory as in {@link RatisSettings}
     */
    public static StoredLog read(Path directory, UUID cluster, Consumer<StoredEntry> entries) throws IOException {
        return new RatisLogReader(directory.resolve(cluster.toString()), entries).read();
    }

    private StoredLog read() throws IOException {
        StoredFiles files = new StoredFiles(root.resolve("current"));
        List<StoredSnapshot> snapshots = new ArrayList<>();
        for (SnapshotFile file : SnapshotStore.list(root.resolve("sm"))) {
            snapshots.add(snapshot(file));
        }
        List<StoredSegment> segments = new ArrayList<>();
        for (File file : files.segments()) {
            segments.add(segment(file));
        }
        long known = snapshots.stream().mapToLong(StoredSnapshot::index).max().orElse(-1);
        if (!segments.isEmpty() && segments.get(0).firstIndex() > known + 1) {
            problems.add("the entries from " + (known + 1) + " to "
                    + (segments.get(0).firstIndex() - 1) + " are missing before the first file of the log");
        }
        StoredFiles.Vote vote = files.vote(problems);
        return new StoredLog(
                "ratis",
                root,
                vote.term(),
                vote.votedFor(),
                committed,
                files.members(problems),
                snapshots,
                segments,
                problems);
    }

    private static StoredSnapshot snapshot(SnapshotFile file) throws IOException {
        Optional<String> damage = Optional.empty();
        try {
            SnapshotStore.verify(file);
        } catch (LogException e) {
            damage = Optional.of(String.valueOf(e.getMessage()));
        }
        return new StoredSnapshot(file.path(), Files.size(file.path()), file.term(), file.index(), damage);
    }

    private StoredSegment segment(File file) throws IOException {
        if (nextIndex >= 0 && file.firstIndex() != nextIndex) {
            problems.add(file.path() + " should begin with entry " + nextIndex + ": a file of the log is missing");
        }
        nextIndex = file.firstIndex();
        byte[] bytes = Files.readAllBytes(file.path());
        Segment.Scan scan =
                new Segment(bytes).scan((offset, from, length) -> tell(file.path(), offset, bytes, from, length));
        Optional<StoredSegment.Damage> damage = scan.damage()
                .map(found -> new StoredSegment.Damage(scan.end(), found.what(), found.torn() && file.isOpen()));
        if (damage.isEmpty() && nextIndex <= file.lastIndex().orElse(-1)) {
            damage = Optional.of(new StoredSegment.Damage(
                    scan.end(), "the file ends, and its name says that there are more entries", false));
        }
        return new StoredSegment(file.path(), bytes.length, file.firstIndex(), scan.entries(), damage);
    }

    private void tell(Path file, int offset, byte[] bytes, int from, int length) {
        try {
            LogEntryProto entry = LogEntryProto.parseFrom(ByteString.copyFrom(bytes, from, length));
            if (entry.getIndex() != nextIndex) {
                problems.add(file + " at offset " + offset + " has entry " + entry.getIndex() + " where " + nextIndex
                        + " should be");
            }
            nextIndex = entry.getIndex() + 1;
            entries.accept(new StoredEntry(entry.getTerm(), entry.getIndex(), file, offset, content(entry)));
        } catch (InvalidProtocolBufferException | LogException e) {
            // Its checksum is right, so this is what was written: by another version, most likely.
            problems.add(file + " at offset " + offset + " has an entry that cannot be read: " + e.getMessage());
            nextIndex++;
        }
    }

    private Content content(LogEntryProto entry) {
        if (entry.hasConfigurationEntry()) {
            return new Content.Engine("members: " + words(entry.getConfigurationEntry()));
        }
        if (entry.hasMetadataEntry()) {
            long index = entry.getMetadataEntry().getCommitIndex();
            committed = OptionalLong.of(Math.max(index, committed.orElse(index)));
            return new Content.Engine("committed up to " + index);
        }
        Entry own = Entry.parse(entry.getStateMachineLogEntry().getLogData());
        if (own instanceof Entry.Replicated replicated) {
            return new Content.Replicated(replicated.body().toByteArray());
        }
        return new Content.Engine(
                own instanceof Entry.Floor floor
                        ? "every full voter has the log up to " + floor.index()
                        : "a nudge for a member that fell behind");
    }

    private static String words(RaftConfigurationProto configuration) {
        return StoredFiles.members(configuration).stream()
                .map(member -> member.id().name()
                        + (member.part() == Member.Part.VOTER
                                ? ""
                                : " (" + member.part().name().toLowerCase(Locale.ROOT) + ")"))
                .collect(Collectors.joining(", "));
    }
}
