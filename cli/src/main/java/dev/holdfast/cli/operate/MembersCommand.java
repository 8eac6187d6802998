package dev.holdfast.cli.operate;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberListRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast members}: who belongs to the cluster. */
@Command(
        name = "members",
        description = {
            "Lists the members of the cluster, as its leader sees them.",
            "",
            "BEHIND is how many entries a member lacks, HEARD how long ago the leader last heard from it."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast members", "  holdfast members -o name"})
final class MembersCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection = new Connection();

    @Mixin
    private final Output output;

    MembersCommand(Streams streams) {
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        try (Nodes nodes = connection.nodes()) {
            show(output, list(nodes));
        }
        return ExitCode.OK;
    }

    static List<MemberInfo> list(Nodes nodes) {
        return nodes.admin(admin -> admin.memberList(MemberListRequest.getDefaultInstance()))
                .getMembersList();
    }

    static void show(Output output, List<MemberInfo> members) {
        Table table = new Table("NAME", "PART", "LEADS", "CLIENTS", "PEERS", "BEHIND", "HEARD", "ID");
        long furthest =
                members.stream().mapToLong(MemberInfo::getMatchedIndex).max().orElse(-1);
        for (MemberInfo member : members) {
            table.row(
                    member.getName(),
                    member.getPart().name().toLowerCase(Locale.ROOT),
                    member.getLeader() ? "leads" : "",
                    member.getClientAddress(),
                    member.getPeerAddress(),
                    member.getMatchedIndex() < 0 ? "" : furthest - member.getMatchedIndex(),
                    member.getSilentMs() < 0 ? "" : Durations.text(member.getSilentMs()),
                    member.getId());
        }
        output.show(
                table,
                Map.of("members", members),
                members.stream().map(MemberInfo::getName).toList());
    }
}
