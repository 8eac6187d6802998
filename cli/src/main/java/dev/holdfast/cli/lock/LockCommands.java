package dev.holdfast.cli.lock;

import dev.holdfast.cli.output.Streams;
import java.util.List;

/** The commands for those who use locks. */
public final class LockCommands {
    private LockCommands() {}

    /** In the order in which help lists them. */
    public static List<Object> all(Streams streams) {
        return List.of(new Ls(streams));
    }
}
