package dev.holdfast.datastore;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The file of the store: lines are added, and none is changed until all are rewritten.
 *
 * <p>A line that was added is on the disk. What a crash left of the last line is cut off when the file is opened; a line
 * in the middle that cannot be read is damage, and nothing is opened then. Not safe for use by many threads.
 */
final class TextFile implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;
    private FileChannel channel;
    private long length;
    private boolean broken;

    private TextFile(Path path, FileChannel lock, FileChannel channel, long length) {
        this.path = path;
        this.lock = lock;
        this.channel = channel;
        this.length = length;
    }

    /**
     * Opens the file, created if necessary, and tells all its lines.
     *
     * @throws IOException if it cannot be used; the message says why
     */
    static TextFile open(Path directory, Consumer<Line> lines) throws IOException {
        create(directory);
        Path path = directory.resolve("data.txt");
        FileChannel lock = lock(directory);
        try {
            Files.deleteIfExists(rewritten(path));
            return open(path, lock, lines);
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    /** For its owner alone: that covers all files in it. One that is there stays as it is. */
    private static void create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(directory);
        }
    }

    private static TextFile open(Path path, FileChannel lock, Consumer<Line> lines) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            syncName(path);
            long sound = readAll(path, lines);
            // What a crash left of a last line.
            channel.truncate(sound).force(true);
            return new TextFile(path, lock, channel, sound);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock mine = channel.tryLock();
            if (mine != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Another store of this process: as if it were another process.
        }
        channel.close();
        throw new IOException(directory + " is in use by another data store");
    }

    /** Tells the lines, and how many bytes from the start they are: what follows is none. */
    private static long readAll(Path path, Consumer<Line> lines) throws IOException {
        long sound = 0;
        long at = 0;
        int number = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                at++;
                if (next != '\n') {
                    line.write(next);
                    continue;
                }
                number++;
                long start = at - line.size() - 1;
                Optional<Line> read = Line.of(line.toByteArray());
                line.reset();
                if (read.isPresent() && start != sound) {
                    throw new IOException(path + ": line " + number + " follows one that is damaged. Restore the file "
                            + "from a copy; without the damaged line it does not show who is stale");
                }
                if (read.isPresent()) {
                    lines.accept(read.get());
                    sound = at;
                }
            }
        }
        return sound;
    }

    long length() {
        return length;
    }

    /**
     * Adds a line, and returns when it is on the disk.
     *
     * @throws IOException if it is not; then the file is as it was, or is not added to any more
     */
    void append(Line line) throws IOException {
        requireSound();
        byte[] bytes = line.bytes();
        try {
            write(channel.position(length), bytes);
        } catch (IOException e) {
            cutBack(e);
            throw new IOException(path + " was not added to: " + e.getMessage(), e);
        }
        try {
            channel.force(false);
        } catch (IOException e) {
            // Nobody knows what is on the disk now; a second flush would only pretend to.
            broken = true;
            throw new IOException(path + " could not be flushed; start the store again: " + e.getMessage(), e);
        }
        length += bytes.length;
    }

    private void cutBack(IOException failure) {
        try {
            channel.truncate(length).force(true);
        } catch (IOException e) {
            broken = true;
            failure.addSuppressed(e);
        }
    }

    private void requireSound() throws IOException {
        if (broken) {
            throw new IOException(path + " could not be written before; start the store again");
        }
    }

    /** Rewrites the file with only these lines. On failure the old one stays. */
    void rewrite(Collection<Line> lines) throws IOException {
        requireSound();
        Path fresh = rewritten(path);
        FileChannel next = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        boolean moved = false;
        try {
            for (Line line : lines) {
                write(next, line.bytes());
            }
            next.force(true);
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
            moved = true;
        } finally {
            if (!moved) {
                next.close();
                Files.deleteIfExists(fresh);
            }
        }
        channel.close();
        channel = next;
        length = next.size();
        try {
            syncName(path);
        } catch (IOException e) {
            // After a power cut the old file could be back, without what is added from now on.
            broken = true;
            throw e;
        }
    }

    private static Path rewritten(Path path) {
        return path.resolveSibling("data.txt.new");
    }

    private static void syncName(Path path) throws IOException {
        try (FileChannel directory = FileChannel.open(path.resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static void write(FileChannel channel, byte[] bytes) throws IOException {
        for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
            channel.write(rest);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            lock.close();
        }
    }
}
