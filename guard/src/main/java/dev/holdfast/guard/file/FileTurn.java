package dev.holdfast.guard.file;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.GuardBusyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One at a time with a file, of all threads and processes of this machine.
 *
 * <p>Between processes the operating system's lock decides, which goes away with the process that has it, however that
 * ends. It belongs to a process as a whole, and closing any channel to the file gives it up: so threads decide among
 * themselves first, before they open one.
 */
final class FileTurn implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(2);
    private static final ConcurrentHashMap<Path, Thread> TAKEN = new ConcurrentHashMap<>();

    private final Path path;
    private @Nullable FileChannel channel;

    private FileTurn(Path path) {
        this.path = path;
    }

    /**
     * Waits for the turn.
     *
     * @throws GuardBusyException if it does not come in time
     */
    static FileTurn await(Path file, Access access, Duration patience) throws IOException {
        // However the directory was named, it is the same one.
        Path path = Directories.of(file).toRealPath().resolve(file.getFileName());
        long deadline = System.nanoTime() + patience.toNanos();
        while (TAKEN.putIfAbsent(path, Thread.currentThread()) != null) {
            pauseUntil(deadline, access, patience);
        }
        FileTurn turn = new FileTurn(path);
        boolean mine = false;
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            turn.channel = channel;
            while (channel.tryLock() == null) {
                pauseUntil(deadline, access, patience);
            }
            mine = true;
            return turn;
        } finally {
            if (!mine) {
                turn.close();
            }
        }
    }

    private static void pauseUntil(long deadline, Access access, Duration patience) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while another access was inside key '" + access.key() + "'");
        }
        if (System.nanoTime() - deadline >= 0) {
            throw new GuardBusyException(access, patience);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    /** The marks in the file; made if they are new. */
    MarkFile marks(String key) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            throw new IllegalStateException("the turn is over");
        }
        return MarkFile.open(path, open, key);
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        try {
            if (open != null) {
                open.close();
            }
        } finally {
            TAKEN.remove(path);
        }
    }
}
