package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Outcome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** What the tests of this package do to logs again and again. */
final class Logs {
    static final Member SELF =
            new Member(new NodeId("a", new UUID(1, 2)), "localhost:1", "localhost:2", Member.Part.VOTER);
    static final long NEVER = Long.MAX_VALUE;

    private Logs() {}

    static DiskSettings settings(Path directory) {
        return new DiskSettings(SELF, directory, NEVER, 1 << 20);
    }

    static DiskLog start(DiskSettings settings, Ledger ledger) throws IOException {
        DiskLog log = new DiskLog(settings, ledger);
        log.start();
        return log;
    }

    /** Starts, proposes one after the other, and closes. */
    static void write(Path directory, String... entries) throws IOException {
        try (DiskLog log = start(settings(directory), new Ledger())) {
            for (String entry : entries) {
                acknowledged(propose(log, Ledger.bytes(entry)));
            }
        }
    }

    /** What a start finds. */
    static List<String> read(Path directory) throws IOException {
        Ledger ledger = new Ledger();
        start(settings(directory), ledger).close();
        return ledger.entries();
    }

    /** What replaying finds, without the start of a new term: quick enough to be done thousands of times. */
    static List<String> replay(Path directory) throws IOException {
        Ledger ledger = new Ledger();
        DiskSnapshots snapshots = new DiskSnapshots(directory, FileChannel::open);
        new Recovery(
                        directory,
                        FileChannel::open,
                        snapshots,
                        ledger,
                        TermFile.in(directory).read())
                .run();
        return ledger.entries();
    }

    static CompletableFuture<Outcome> propose(DiskLog log, byte[] entry) {
        return log.propose(log.status().role().term(), entry);
    }

    static Outcome.Applied acknowledged(CompletableFuture<Outcome> outcome) {
        return (Outcome.Applied) outcome.join();
    }

    static Path onlySegment(Path directory) throws IOException {
        List<SegmentFile> segments = SegmentFile.list(directory);
        if (segments.size() != 1) {
            throw new AssertionError("one segment expected, found " + segments);
        }
        return segments.get(0).path();
    }

    /** Where each record of a file begins, and where the last one ends. */
    static List<Long> offsets(Path segment) throws IOException {
        List<Long> offsets = new ArrayList<>(List.of(0L));
        try (SegmentReader reader = new SegmentReader(segment)) {
            while (reader.next() instanceof SegmentReader.Step.Whole) {
                offsets.add(reader.offset());
            }
        }
        return offsets;
    }

    static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
