package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.SnapshotSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** Where a snapshot can be had: the members that keep the state, the most promising first. */
record Sources(SnapshotSource source, List<Member> members) {
    Sources {
        members = List.copyOf(members);
    }

    /** Fetches the first snapshot that is new enough. */
    SnapshotFile fetch(long lowestIndex, Path into) throws IOException {
        LogException failure = new LogException("no full member has a snapshot at or above " + lowestIndex + "; asked "
                + members.stream().map(Member::id).toList());
        for (Member member : members) {
            try {
                Files.deleteIfExists(into);
                Optional<SnapshotFile> fetched = source.fetch(member, lowestIndex, into);
                if (fetched.isPresent() && fetched.get().index() >= lowestIndex) {
                    // Its publication depends on it, so this does not rest on what others promise.
                    try (FileChannel channel = FileChannel.open(fetched.get().path(), StandardOpenOption.WRITE)) {
                        channel.force(true);
                    }
                    return fetched.get();
                }
            } catch (IOException | RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }
}
