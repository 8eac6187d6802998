package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.SnapshotFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots of one directory.
 *
 * <p>A snapshot is exactly the replica's bytes; term and index are in its name. Beside it lies a file of the same
 * name with {@code .sum} at the end that has its length and CRC-32C: it is there before the snapshot gets its
 * name, so a snapshot without one is damaged. Only the newest is kept. A witness keeps empty ones under another
 * name: they only say how much of its log it has forgotten.
 */
final class SnapshotStore {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotStore.class);
    private static final Pattern NAME = Pattern.compile("(snapshot|witness)\\.(\\d+)_(\\d+)");
    private static final String SUM = ".sum";
    private static final String UNFINISHED = ".part";

    private final Path directory;
    private final String kind;
    private volatile @Nullable SnapshotFile latest;

    SnapshotStore(Path directory, boolean witness) {
        this.directory = directory;
        this.kind = witness ? "witness" : "snapshot";
    }

    /** Finds the newest snapshot, and removes what an interrupted run left behind. */
    void open() throws IOException {
        Files.createDirectories(directory);
        SnapshotFile newest = null;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    SnapshotFile found = found(file, name);
                    newest = newest == null || found.index() > newest.index() ? found : newest;
                } else if (file.getFileName().toString().endsWith(UNFINISHED)) {
                    Files.delete(file);
                }
            }
        }
        latest = newest;
        removeOld();
    }

    /** Every snapshot that lies in a directory, a witness's empty ones too; changes nothing. */
    static List<SnapshotFile> list(Path directory) throws IOException {
        List<SnapshotFile> found = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Matcher name = NAME.matcher(file.getFileName().toString());
                    if (name.matches()) {
                        found.add(new SnapshotFile(Long.parseLong(name.group(2)), Long.parseLong(name.group(3)), file));
                    }
                }
            }
        }
        found.sort(Comparator.comparingLong(SnapshotFile::index));
        return found;
    }

    Optional<SnapshotFile> latest() {
        return Optional.ofNullable(latest);
    }

    /** A place for a snapshot that is being written or fetched. */
    Path unfinished(String purpose) {
        return directory.resolve(purpose + UNFINISHED);
    }

    /** Opens the newest snapshot for reading after making sure that it is whole. */
    InputStream read(SnapshotFile snapshot) throws IOException {
        verify(snapshot);
        return new BufferedInputStream(Files.newInputStream(snapshot.path()), 1 << 16);
    }

    /** Refuses a snapshot that is not what was written. */
    static void verify(SnapshotFile snapshot) throws IOException {
        Path sum = sum(snapshot.path());
        String expected;
        try {
            expected = Files.readString(sum, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw damaged(snapshot.path(), "its checksum " + sum.getFileName() + " cannot be read", e);
        }
        String found = checksum(snapshot.path());
        if (!expected.equals(found)) {
            throw damaged(snapshot.path(), "length and checksum should be " + expected + " and are " + found, null);
        }
    }

    /**
     * Makes a written and flushed file the newest snapshot.
     *
     * @return whether it is; not if there is a newer one already
     */
    synchronized boolean publish(long term, long index, Path file, String checksum) throws IOException {
        SnapshotFile current = latest;
        if (current != null && current.index() >= index) {
            Files.deleteIfExists(file);
            return false;
        }
        Path name = directory.resolve(kind + '.' + term + '_' + index);
        writeFlushed(sum(name), checksum + '\n');
        Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
        DurableDirectory.flush(directory);
        latest = new SnapshotFile(term, index, name);
        return true;
    }

    /** Deletes every snapshot but the newest; whoever has one open can still read it to its end. */
    synchronized void removeOld() throws IOException {
        SnapshotFile keep = latest;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                boolean kept = keep != null && (file.equals(keep.path()) || file.equals(sum(keep.path())));
                if (!kept && (NAME.matcher(name).matches() || name.endsWith(SUM))) {
                    Files.deleteIfExists(file);
                    LOG.debug("{}: deleted", file);
                }
            }
        }
    }

    /** Writes a small file so that it is on disk when this returns; its name is not yet. */
    static void writeFlushed(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Length and CRC-32C of a file, as the file beside a snapshot has them. */
    static String checksum(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        long length = 0;
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                crc.update(buffer, 0, read);
                length += read;
            }
        }
        return checksum(length, crc);
    }

    static String checksum(long length, CRC32C crc) {
        return length + " " + Long.toHexString(crc.getValue());
    }

    static LogException damaged(Path file, String what, @Nullable Throwable cause) {
        return Replacement.refuse(file, "the snapshot is damaged: " + what, cause);
    }

    private SnapshotFile found(Path file, Matcher name) {
        if (!name.group(1).equals(kind)) {
            throw new LogException(file + ": this directory is that of a " + (isWitness() ? "full member" : "witness")
                    + ", and a member cannot become the other. Let this node join with an empty directory.");
        }
        return new SnapshotFile(Long.parseLong(name.group(2)), Long.parseLong(name.group(3)), file);
    }

    private boolean isWitness() {
        return kind.equals("witness");
    }

    private static Path sum(Path snapshot) {
        return snapshot.resolveSibling(snapshot.getFileName() + SUM);
    }
}
