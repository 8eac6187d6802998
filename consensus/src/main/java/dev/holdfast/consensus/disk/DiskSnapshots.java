package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.SnapshotFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * The newest snapshot of a directory.
 *
 * <p>Term, length and checksum are in the file's name, which it gets when all of it is on disk. So the file
 * holds the replica's bytes and nothing else, and can be handed to anybody as it is.
 */
final class DiskSnapshots {
    private static final Pattern NAME = Pattern.compile("snapshot-(\\d{19})-(\\d{1,19})-(\\d{1,19})-([0-9a-f]{8})");

    private final Path directory;
    private final Path temporary;
    private final FileOpener files;
    private volatile Optional<SnapshotFile> newest;

    /** Finds the newest and clears away what a crash left of others. */
    DiskSnapshots(Path directory, FileOpener files) throws IOException {
        this.directory = directory;
        this.temporary = directory.resolve("snapshot.tmp");
        this.files = files;
        Files.deleteIfExists(temporary);
        List<SnapshotFile> found = list(directory);
        this.newest = found.isEmpty() ? Optional.empty() : Optional.of(found.get(found.size() - 1));
        deleteOlder();
    }

    Optional<SnapshotFile> newest() {
        return newest;
    }

    /** Gives the newest snapshot to the replica, after all of it was found undamaged. */
    void load(Replica replica) throws IOException {
        SnapshotFile snapshot = newest.orElseThrow();
        verify(snapshot.path());
        try (InputStream in = new BufferedInputStream(Files.newInputStream(snapshot.path()))) {
            replica.load(snapshot.term(), snapshot.index(), in);
        }
    }

    /**
     * Writes a state in place of the newest snapshot.
     *
     * @param unwanted asked between frames; the snapshot is given up when it says so
     */
    void write(long term, long index, Replica.Cut cut, BooleanSupplier unwanted) throws IOException {
        CRC32C checksum = new CRC32C();
        long bytes = 0;
        try (FileChannel channel = files.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (byte[] frame = cut.next(); frame != null; frame = cut.next()) {
                if (unwanted.getAsBoolean()) {
                    throw new LogException("the log is closed");
                }
                checksum.update(frame);
                bytes += frame.length;
                Bytes.append(channel, ByteBuffer.wrap(frame));
            }
            channel.force(true);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        Path path = directory.resolve(
                String.format(Locale.ROOT, "snapshot-%019d-%d-%d-%08x", index, term, bytes, (int) checksum.getValue()));
        Directories.rename(temporary, path);
        newest = Optional.of(new SnapshotFile(term, index, path));
        deleteOlder();
    }

    private void deleteOlder() throws IOException {
        long keep = newest.map(SnapshotFile::index).orElse(-1L);
        for (SnapshotFile snapshot : list(directory)) {
            if (snapshot.index() < keep) {
                Files.delete(snapshot.path());
            }
        }
    }

    /** All of a directory's, oldest first. */
    static List<SnapshotFile> list(Path directory) throws IOException {
        List<SnapshotFile> found = new ArrayList<>();
        try (Stream<Path> paths = Files.list(directory)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Matcher name = NAME.matcher(path.getFileName().toString());
                if (name.matches()) {
                    found.add(new SnapshotFile(Long.parseLong(name.group(2)), Long.parseLong(name.group(1)), path));
                }
            }
        }
        found.sort(Comparator.comparingLong(SnapshotFile::index));
        return found;
    }

    /** Refuses a snapshot that is not what was written. */
    static void verify(Path path) throws IOException {
        Matcher name = NAME.matcher(path.getFileName().toString());
        if (!name.matches()) {
            throw new IllegalArgumentException(path + " is not named like a snapshot");
        }
        try (CheckedInputStream in = new CheckedInputStream(Files.newInputStream(path), new CRC32C())) {
            long bytes = in.transferTo(OutputStream.nullOutputStream());
            long checksum = in.getChecksum().getValue();
            if (bytes != Long.parseLong(name.group(3)) || checksum != Long.parseLong(name.group(4), 16)) {
                throw new LogException(path + " is damaged: it has " + bytes + " bytes with the checksum "
                        + Long.toHexString(checksum) + ", and its name says otherwise. The log before it is gone,"
                        + " so this node does not start: restore the whole directory from a backup");
            }
        }
    }
}
