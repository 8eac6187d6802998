package dev.holdfast.cli.lock;

import dev.holdfast.cli.output.Streams;
import java.util.List;

/** The commands for those who use locks. */
public final class LockCommands {
    private LockCommands() {}

    /** In the order in which help lists them. */
    public static List<Object> all(Streams streams) {
        return List.of(
                new RunCommand(streams),
                new AcquireCommand(streams),
                new ReleaseCommand(streams),
                new RenewCommand(streams),
                new ElectCommand(streams),
                new LsCommand(streams),
                new ShowCommand(streams),
                new ExplainCommand(streams),
                new PlanCommand(streams),
                new HistoryCommand(streams),
                new WatchCommand(streams),
                new LeasesCommand(streams),
                new BreakCommand(streams));
    }
}
