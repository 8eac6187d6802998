package dev.holdfast.consensus.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Makes names durable.
 *
 * <p>Flushing a file keeps its bytes; that it exists, and under which name, is kept by flushing its
 * directory.
 */
final class Directories {
    private Directories() {}

    /** Creates an absolute path's missing directories. */
    static void create(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (Files.isDirectory(directory) || parent == null) {
            return;
        }
        create(parent);
        Files.createDirectory(directory);
        sync(parent);
    }

    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Puts a complete and flushed file in the place of another, in one directory. */
    static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncParent(to);
    }

    static void syncParent(Path file) throws IOException {
        sync(file.resolveSibling("."));
    }
}
