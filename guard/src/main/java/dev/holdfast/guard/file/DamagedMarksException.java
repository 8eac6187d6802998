package dev.holdfast.guard.file;

import java.io.IOException;
import java.nio.file.Path;

/** A mark file cannot be read, so nobody is let in: it no longer shows who is stale. */
public final class DamagedMarksException extends IOException {
    DamagedMarksException(Path path) {
        super(path + ": the marks are damaged. Once no earlier holder can still be working, delete the file; a new one "
                + "is started");
    }
}
