package dev.holdfast.guard.file;

import java.io.IOException;
import java.nio.file.Path;

/** A mark file cannot be understood, so nobody is let in: it does not tell any more who is stale. */
public final class DamagedMarksException extends IOException {
    DamagedMarksException(Path path) {
        super(path + ": the marks are damaged. Once no earlier holder can be at work any more, delete the file;"
                + " it begins anew");
    }
}
