package dev.holdfast.cli.operate;

import dev.holdfast.cli.doctor.DoctorCommand;
import dev.holdfast.cli.inspect.LogCommand;
import dev.holdfast.cli.load.BenchCommand;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.simulate.SimulateCommand;
import dev.holdfast.cli.top.TopCommand;
import java.util.List;

/** The commands for those who run a cluster. */
public final class OperateCommands {
    private OperateCommands() {}

    /** In the order in which help lists them. */
    public static List<Object> all(Streams streams) {
        return List.of(
                new Dev(streams),
                ServerCommand.spec(streams),
                new StatusCommand(streams),
                new DoctorCommand(streams),
                new TopCommand(streams),
                new MembersCommand(streams),
                new MemberCommand(streams),
                new SnapshotCommand(streams),
                new LimitsCommand(streams),
                new TokenCommand(),
                new DatastoreCommand(streams),
                LogCommand.spec(streams),
                new BenchCommand(streams),
                new SimulateCommand(streams),
                new CompletionCommand(streams),
                new ReferenceCommand(streams));
    }
}
