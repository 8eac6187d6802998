package dev.holdfast.guard.file;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.GuardException;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.Marks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/**
 * A file that is read and written through this class only by holders of a lock. Its marks are in a file beside it,
 * {@code NAME.marks}.
 *
 * <p>A write that returned is on the disk. One that did not is there completely or not at all, whatever happened: an
 * error, a full disk, the end of the process, a power cut. Readers that bypass this class may see the beginning of an
 * append between a crash and the next access.
 *
 * <p>All threads and processes of one machine may use the file; one access is inside at a time. It is meant for local
 * disks. A file is guarded by a lock, not by a semaphore. Replacing it creates a new file, with the owner and the
 * permissions of a new file.
 */
public final class GuardedFile {
    private final Path data;
    private final Path marks;
    private final Path replacement;
    private final String key;
    private final Duration patience;

    /** A file that need not exist, guarded by the lock of a key. */
    public GuardedFile(Path data, String key) {
        this(data, key, FileGuard.DEFAULT_PATIENCE);
    }

    /**
     * A file that need not exist, guarded by the lock of a key.
     *
     * @param patience how long an access waits for another one to leave
     */
    public GuardedFile(Path data, String key, Duration patience) {
        this.data = data.toAbsolutePath();
        this.marks = this.data.resolveSibling(data.getFileName() + ".marks");
        this.replacement = this.data.resolveSibling(data.getFileName() + ".new");
        this.key = key;
        this.patience = patience;
    }

    /**
     * Enters and reads the whole file.
     *
     * @return empty if there is no file
     * @throws GuardException if the access is refused
     * @throws IOException if the file or its marks cannot be read
     */
    public Optional<byte[]> read(Access access) throws IOException {
        try (FileTurn turn = await(access)) {
            enter(turn, access.unnumbered());
            return Files.exists(data) ? Optional.of(Files.readAllBytes(data)) : Optional.empty();
        }
    }

    /**
     * Enters and replaces the contents of the file.
     *
     * @return whether this write was done before; then it was not done again
     * @throws GuardException if the access is refused; then nothing was written
     * @throws IOException if it could not be written; then the file is as it was
     */
    public Entry replace(Access access, byte[] contents) throws IOException {
        try (FileTurn turn = await(access)) {
            MarkFile file = enter(turn, writing(access));
            Entry entry = entry(file, access);
            if (entry == Entry.NEW) {
                writeReplacement(contents);
                if (access.isNumbered()) {
                    file.keep(file.marks(), Pending.Replace.by(access, Contents.of(contents)));
                }
                Files.move(replacement, data, StandardCopyOption.ATOMIC_MOVE);
                Directories.sync(data);
                file.keep(raised(file, access), Pending.NOTHING);
            }
            return entry;
        }
    }

    private void writeReplacement(byte[] contents) throws IOException {
        try {
            try (FileChannel channel = FileChannel.open(
                    replacement,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                write(channel, contents);
            }
        } catch (IOException e) {
            Files.deleteIfExists(replacement);
            throw new IOException(data + " was not replaced and is as it was: " + e.getMessage(), e);
        }
    }

    /**
     * Enters and adds to the end of the file.
     *
     * @return whether this write was done before; then it was not done again
     * @throws GuardException if the access is refused; then nothing was written
     * @throws IOException if it could not be written; then the file is as it was
     */
    public Entry append(Access access, byte[] added) throws IOException {
        try (FileTurn turn = await(access)) {
            MarkFile file = enter(turn, writing(access));
            Entry entry = entry(file, access);
            if (entry == Entry.NEW) {
                boolean made = !Files.exists(data);
                long length = made ? 0 : Files.size(data);
                file.keep(file.marks(), new Pending.Append(length));
                try (FileChannel channel =
                        FileChannel.open(data, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    write(channel.position(length), added);
                } catch (IOException e) {
                    throw undone(file, e);
                }
                if (made) {
                    Directories.sync(data);
                }
                file.keep(raised(file, access), Pending.NOTHING);
            }
            return entry;
        }
    }

    /** Should cutting off what was written fail too, the next who enters does it. */
    private IOException undone(MarkFile file, IOException failure) {
        try {
            settle(file);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return new IOException(data + " was not added to and is as it was: " + failure.getMessage(), failure);
    }

    private static void write(FileChannel channel, byte[] bytes) throws IOException {
        for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
            channel.write(rest);
        }
        channel.force(true);
    }

    private FileTurn await(Access access) throws IOException {
        return FileTurn.await(marks, access, patience);
    }

    private static Access writing(Access access) {
        if (access.mode() == Access.Mode.SHARED) {
            throw new InvalidAccessException("mode", "a shared grant does not write; upgrade it");
        }
        return access;
    }

    /** Raises the mark, on the disk, before anything is touched. The number of a write counts once it is done. */
    private MarkFile enter(FileTurn turn, Access access) throws IOException {
        if (access.mode() == Access.Mode.PERMIT) {
            throw new InvalidAccessException("mode", "a file is guarded by a lock, not by a semaphore");
        }
        MarkFile file = turn.marks(key);
        file.check(access);
        // Whoever is refused leaves everything as it is.
        raised(file, access.unnumbered());
        settle(file);
        file.keep(raised(file, access.unnumbered()), Pending.NOTHING);
        return file;
    }

    /** Finds out what became of a write that was begun and did not tell, and ends it one way or the other. */
    private void settle(MarkFile file) throws IOException {
        switch (file.pending().kind()) {
            case NOTHING -> {}
            case APPEND -> {
                cutBack(((Pending.Append) file.pending()).length());
                file.keep(file.marks(), Pending.NOTHING);
            }
            case REPLACE -> {
                Pending.Replace replace = (Pending.Replace) file.pending();
                boolean done = replace.contents().areIn(data);
                file.keep(done ? raised(file, replace.access(file.key())) : file.marks(), Pending.NOTHING);
            }
        }
        Files.deleteIfExists(replacement);
    }

    private void cutBack(long length) throws IOException {
        if (Files.exists(data) && Files.size(data) > length) {
            try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
                channel.truncate(length).force(true);
            }
        }
    }

    private static Entry entry(MarkFile file, Access access) {
        return file.marks().enter(access).orRefuse(access).entry();
    }

    private static Marks raised(MarkFile file, Access access) {
        return file.marks().enter(access).orRefuse(access).marks();
    }
}
