package dev.holdfast.guard.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where files are. */
final class Directories {
    private Directories() {}

    static Path of(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IllegalArgumentException("path: must name a file, is '" + file + "'");
        }
        return directory;
    }

    /** Returns when the name of a file is as durable as its contents. */
    static void sync(Path file) throws IOException {
        try (FileChannel directory = FileChannel.open(of(file), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
