package dev.holdfast.cli.operate;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberRemoveRequest;
import dev.holdfast.protocol.v1.MemberReplaceRequest;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast member}: changes who belongs to the cluster, and who leads. */
@Command(
        name = "member",
        description = "Changes the members of the cluster, and which of them leads.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(add | remove | replace | transfer)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast member add n4 --client 10.0.0.4:4600 --peer 10.0.0.4:4601",
            "  holdfast member replace n2",
            "  holdfast member remove n4",
            "  holdfast member transfer n1"
        })
final class MemberCommand implements Runnable {
    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    MemberCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say which: add, remove, replace or transfer");
    }

    /** Where a node that is to join will be reached, and how long to wait for it. */
    static final class Newcomer {
        @Option(
                names = "--client",
                paramLabel = "HOST:PORT",
                defaultValue = "HOST:4600",
                description = "address where clients will reach the node")
        private String client = "";

        @Option(
                names = "--peer",
                paramLabel = "HOST:PORT",
                defaultValue = "HOST:4601",
                description = "address where the other nodes will reach the node")
        private String peer = "";

        @Option(names = "--witness", description = "the node only votes, and keeps no state")
        private boolean witness;

        @Option(
                names = "--wait",
                paramLabel = "TIME",
                defaultValue = "10m",
                description = "how long to wait until the node has joined; 0s: do not wait (default: 10m)")
        private Duration wait = Duration.ZERO;
    }

    @Command(
            name = "add",
            description = {
                "Prints how to start a joining node, and waits until it is a voter.",
                "",
                "A joining node follows without a vote until it has caught up. A node that is a learner, because it "
                        + "was started with node.part = learner, gets a vote by this command."
            },
            mixinStandardHelpOptions = true)
    int add(
            @Parameters(paramLabel = "NAME", description = "the node's name") String name,
            @Mixin Newcomer newcomer,
            @Mixin Connection connection)
            throws InterruptedException {
        try (Nodes nodes = connection.nodes()) {
            List<MemberInfo> members = MembersCommand.list(nodes);
            Optional<MemberInfo> present = find(members, name);
            if (present.isPresent() && present.get().getPart() != Part.LEARNER) {
                streams.out().println(name + " is a voter already.");
                return ExitCode.OK;
            }
            if (present.isEmpty()) {
                print(new StartHint(name, newcomer.witness, newcomer.client, newcomer.peer, ""), members);
            }
            return await(nodes, name, "", newcomer.wait);
        }
    }

    @Command(
            name = "replace",
            description = {
                "Replaces a member with another node, in one step.",
                "",
                "NEW may be a learner that has caught up. Otherwise this prints how to start a node that replaces OLD, "
                        + "by default under the same name, and waits until it has. Use it when a node's data directory "
                        + "was lost."
            },
            mixinStandardHelpOptions = true)
    int replace(
            @Parameters(index = "0", paramLabel = "OLD", description = "name or id of the member to replace")
                    String old,
            @Parameters(
                            index = "1",
                            paramLabel = "NEW",
                            arity = "0..1",
                            description = "name of the new node (default: the same name)")
                    @Nullable
                    String given,
            @Mixin Newcomer newcomer,
            @Mixin Connection connection)
            throws InterruptedException {
        try (Nodes nodes = connection.nodes()) {
            List<MemberInfo> members = MembersCommand.list(nodes);
            MemberInfo leaving = require(members, old);
            String name = given == null ? leaving.getName() : given;
            Optional<MemberInfo> coming = find(members, name).filter(member -> !member.equals(leaving));
            if (coming.isPresent() && coming.get().getPart() != Part.LEARNER) {
                throw new Failure(ExitCode.USAGE, name + " votes already: remove " + old + " instead");
            }
            if (coming.isPresent()) {
                MemberReplaceRequest request = MemberReplaceRequest.newBuilder()
                        .setOldMember(leaving.getId())
                        .setNewMember(coming.get().getId())
                        .build();
                var unused = nodes.admin(admin -> admin.memberReplace(request));
                streams.out().println(name + " is in the place of " + old + ".");
                return ExitCode.OK;
            }
            boolean witness = newcomer.witness || leaving.getPart() == Part.WITNESS;
            print(new StartHint(name, witness, newcomer.client, newcomer.peer, leaving.getId()), members);
            return await(nodes, name, leaving.getId(), newcomer.wait);
        }
    }

    private void print(StartHint hint, List<MemberInfo> members) {
        hint.lines(members).forEach(streams.out()::println);
        streams.out().flush();
    }

    private int await(Nodes nodes, String name, String leaving, Duration wait) throws InterruptedException {
        if (!wait.isZero()) {
            new JoinWait(nodes, streams).await(name, leaving, wait);
            streams.out().println(name + " is a voter.");
        }
        return ExitCode.OK;
    }

    @Command(
            name = "remove",
            description = "Removes a member from the cluster. Its process ends and says why.",
            mixinStandardHelpOptions = true)
    int remove(
            @Parameters(paramLabel = "NAME", description = "name or id of the member") String name,
            @Option(names = "--force", description = "remove it even if no majority would be left") boolean force,
            @Mixin Connection connection) {
        try (Nodes nodes = connection.nodes()) {
            List<MemberInfo> members = MembersCommand.list(nodes);
            MemberInfo leaving = require(members, name);
            if (!force) {
                MajorityCheck.refuseIfLost(members, leaving);
            }
            MemberRemoveRequest request =
                    MemberRemoveRequest.newBuilder().setMember(leaving.getId()).build();
            List<MemberInfo> left =
                    nodes.admin(admin -> admin.memberRemove(request)).getMembersList();
            streams.out().println(leaving.getName() + " is removed. Left: " + names(left));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "transfer",
            description = "Hands over leadership, for example before the leader's machine is stopped.",
            mixinStandardHelpOptions = true)
    int transfer(
            @Parameters(
                            paramLabel = "NAME",
                            arity = "0..1",
                            defaultValue = "",
                            description = "the new leader (default: the most up-to-date member)")
                    String name,
            @Mixin Connection connection)
            throws InterruptedException {
        try (Nodes nodes = connection.nodes()) {
            if (!name.isEmpty()) {
                MemberInfo unused = require(MembersCommand.list(nodes), name);
            }
            TransferLeadershipRequest request =
                    TransferLeadershipRequest.newBuilder().setTo(name).build();
            var unused = nodes.admin(admin -> admin.transferLeadership(request));
            streams.out().println(new JoinWait(nodes, streams).leader(connection.timeout()) + " leads.");
            return ExitCode.OK;
        }
    }

    private static Optional<MemberInfo> find(List<MemberInfo> members, String nameOrId) {
        return members.stream()
                .filter(member ->
                        member.getName().equals(nameOrId) || member.getId().equals(nameOrId))
                .findFirst();
    }

    private static MemberInfo require(List<MemberInfo> members, String nameOrId) {
        return find(members, nameOrId)
                .orElseThrow(() -> new Failure(
                        ExitCode.USAGE, "there is no member \"" + nameOrId + "\"; the members are " + names(members)));
    }

    private static String names(List<MemberInfo> members) {
        return members.stream().map(MemberInfo::getName).collect(Collectors.joining(", "));
    }
}
