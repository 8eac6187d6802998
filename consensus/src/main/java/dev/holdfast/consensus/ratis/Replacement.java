package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What to tell people when a directory can no longer be trusted. */
final class Replacement {
    private Replacement() {}

    /** A refusal that names the file and the way out. */
    static LogException refuse(Path file, String what, @Nullable Throwable cause) {
        return new LogException(
                file + ": " + what
                        + ". This node may have acknowledged what is no longer readable here, so it must not vote"
                        + " again under this id. Replace it: move the data directory away, start with an empty one"
                        + " (that makes a new id), let it join, and swap the old id for the new one.",
                cause);
    }
}
