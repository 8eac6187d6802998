package dev.holdfast.consensus.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens the files that are written, so that a test can let the disk fail. */
@FunctionalInterface
interface FileOpener {
    FileChannel open(Path file, OpenOption... options) throws IOException;
}
