package dev.holdfast.consensus.stored;

import dev.holdfast.consensus.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All of a log but its entries, which are told one by one while it is read.
 *
 * @param engine which engine wrote it: "ratis" or "disk"
 * @param directory where it lies
 * @param term the highest term the node has taken part in
 * @param votedFor whom it voted for in that term
 * @param committed an index that is known to be committed; entries behind it may be or not
 * @param members the newest configuration that was stored
 * @param problems what concerns no single file, a sentence each: a file that is missing, say
 */
public record StoredLog(
        String engine,
        Path directory,
        long term,
        Optional<String> votedFor,
        OptionalLong committed,
        List<Member> members,
        List<StoredSnapshot> snapshots,
        List<StoredSegment> segments,
        List<String> problems) {
    public StoredLog {
        members = List.copyOf(members);
        snapshots = List.copyOf(snapshots);
        segments = List.copyOf(segments);
        problems = List.copyOf(problems);
    }

    /** Whether something is wrong that a restart would not repair. */
    public boolean isDamaged() {
        return !problems.isEmpty()
                || snapshots.stream().anyMatch(snapshot -> snapshot.damage().isPresent())
                || segments.stream()
                        .flatMap(segment -> segment.damage().stream())
                        .anyMatch(damage -> !damage.torn());
    }
}
