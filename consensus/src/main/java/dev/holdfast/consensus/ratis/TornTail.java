package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.ratis.Segment.Damage;
import dev.holdfast.consensus.ratis.Segment.Scan;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the log before the engine does: cuts off an entry that a power cut left half written, and refuses a
 * log that is damaged in any other way.
 *
 * <p>The engine would refuse the first, though that entry was never acknowledged, and would drop some of the
 * second without a word. An entry counts as torn if the rest of a 512-byte sector it reaches into is all zero,
 * or if the file ends within it. This rests on: the device keeps what it said it flushed, writes a sector
 * wholly or not at all, and shows zeros where the file was allocated and never written; and no entry has a whole
 * sector of zeros of its own, which is the duty of those who propose. A torn entry was then never flushed, so
 * never acknowledged, and nothing behind it was either.
 *
 * <p>What cannot be told apart: an entry of which only the last few bytes reach into its last sector, when just
 * these turn to zero and nothing follows.
 */
final class TornTail {
    private static final Logger LOG = LoggerFactory.getLogger(TornTail.class);
    static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");
    static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    private TornTail() {}

    /** A piece that was cut off. */
    record Cut(Path file, long offset, long bytes) {}

    /**
     * Mends the log in a directory.
     *
     * @return what was cut, usually nothing
     * @throws dev.holdfast.consensus.LogException if the log is damaged in a way that cutting does not repair
     */
    static List<Cut> repair(Path directory) throws IOException {
        List<Cut> cuts = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return cuts;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "log_*")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                Matcher closed = CLOSED.matcher(name);
                if (closed.matches()) {
                    check(file, Long.parseLong(closed.group(2)) - Long.parseLong(closed.group(1)) + 1);
                } else if (OPEN.matcher(name).matches()) {
                    mend(file, cuts);
                }
            }
        }
        return cuts;
    }

    private static void check(Path file, long entries) throws IOException {
        Scan scan = new Segment(Files.readAllBytes(file)).scan();
        if (scan.entries() < entries) {
            String why = scan.damage().map(Damage::what).orElse("the file ends");
            throw Replacement.refuse(
                    file,
                    "damaged at offset " + scan.end() + ": " + why + " after " + scan.entries() + " of " + entries
                            + " entries",
                    null);
        }
    }

    private static void mend(Path file, List<Cut> cuts) throws IOException {
        Scan scan = new Segment(Files.readAllBytes(file)).scan();
        if (scan.damage().isEmpty()) {
            return;
        }
        Damage damage = scan.damage().get();
        if (!damage.torn()) {
            throw Replacement.refuse(file, "damaged at offset " + scan.end() + ": " + damage.what(), null);
        }
        long size = Files.size(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(scan.end());
            channel.force(true);
        }
        LOG.warn(
                "{}: cut {} bytes at offset {}: {}. A power cut interrupted a write that was never acknowledged.",
                file,
                size - scan.end(),
                scan.end(),
                damage.what());
        cuts.add(new Cut(file, scan.end(), size - scan.end()));
    }
}
