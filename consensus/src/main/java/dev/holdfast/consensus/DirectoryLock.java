package dev.holdfast.consensus;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Exclusive use of a directory, until closed or until the process ends. */
public final class DirectoryLock implements AutoCloseable {
    /**
     * What this process holds. The system's lock cannot tell: closing any channel on the file, even one
     * opened by a second attempt that was refused, would give up the lock that the first one holds.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Takes an existing directory, or fails with a message that says who has it. */
    public static DirectoryLock acquire(Path directory) throws IOException {
        Path file = directory.toRealPath().resolve("lock");
        if (!HELD.add(file)) {
            throw new LogException(directory + " is in use by another node of this process");
        }
        try {
            return new DirectoryLock(file, lockedChannel(directory, file));
        } catch (IOException | RuntimeException e) {
            HELD.remove(file);
            throw e;
        }
    }

    /** Whether somebody has the directory now; asking changes nothing. */
    public static boolean isTaken(Path directory) throws IOException {
        Path file = directory.toRealPath().resolve("lock");
        if (HELD.contains(file)) {
            return true;
        }
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.tryLock(0, Long.MAX_VALUE, true) == null;
        }
    }

    private static FileChannel lockedChannel(Path directory, Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new LogException(directory + " is in use by another process, which holds " + file
                        + ": stop it, or give this node a directory of its own");
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD.remove(file);
    }
}
