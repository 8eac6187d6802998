package dev.holdfast.consensus.stored;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file of the log.
 *
 * @param bytes how long it is, with what is prepared for more
 * @param firstIndex what its name says it begins with
 * @param entries how many of them can be read
 * @param damage why there are no more, if they should
 */
public record StoredSegment(Path file, long bytes, long firstIndex, long entries, Optional<Damage> damage) {

    /**
     * What is wrong in a file.
     *
     * @param torn a write that was cut short and never acknowledged: the next start removes it
     */
    public record Damage(long offset, String what, boolean torn) {}

    /** The last index that can be read; one below the first if there is none. */
    public long lastIndex() {
        return firstIndex + entries - 1;
    }
}
