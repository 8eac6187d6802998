package dev.holdfast.cli.talk;

import dev.holdfast.cli.output.Streams;
import java.util.List;

/** The commands that talk to a lock machine in this process. */
public final class TalkCommands {
    private TalkCommands() {}

    /** In the order in which help lists them. */
    public static List<Object> all(Streams streams) {
        return List.of(new Play(streams), new Talk(streams));
    }
}
