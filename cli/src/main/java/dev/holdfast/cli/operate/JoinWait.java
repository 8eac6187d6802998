package dev.holdfast.cli.operate;

import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.protocol.v1.MemberAddRequest;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.Part;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Waits for changes of the members that take their time. */
final class JoinWait {
    private static final long LOOK_MILLIS = 500;

    private final Nodes nodes;
    private final Streams streams;

    JoinWait(Nodes nodes, Streams streams) {
        this.nodes = nodes;
        this.streams = streams;
    }

    /** Returns when a node of this name votes, and the one it replaces is gone. */
    void await(String name, String leaving, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        streams.err().println("Waiting until " + name + " is a voter; Ctrl-C only ends the waiting.");
        try (ProgressLine progress = new ProgressLine(streams)) {
            while (System.nanoTime() - end < 0) {
                List<MemberInfo> members = MembersCommand.list(nodes);
                Optional<MemberInfo> newcomer = members.stream()
                        .filter(member ->
                                member.getName().equals(name) && !member.getId().equals(leaving))
                        .findFirst();
                boolean left =
                        members.stream().noneMatch(member -> member.getId().equals(leaving));
                if (left
                        && newcomer.filter(member -> member.getPart() != Part.LEARNER)
                                .isPresent()) {
                    return;
                }
                progress.tell(
                        newcomer.map(member -> words(member, members)).orElse(name + " has not been heard from yet"));
                if (leaving.isEmpty()) {
                    newcomer.ifPresent(this::promote);
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
        throw new Failure(
                ExitCode.NOT_ACQUIRED,
                name + " has not joined within " + Durations.text(longest.toMillis())
                        + ": see what its process says; it may still join (holdfast members)");
    }

    private static String words(MemberInfo learner, List<MemberInfo> members) {
        long furthest =
                members.stream().mapToLong(MemberInfo::getMatchedIndex).max().orElse(0);
        return learner.getName() + " follows, "
                + (learner.getMatchedIndex() < 0 ? "" : (furthest - learner.getMatchedIndex()) + " entries behind, ")
                + "without a vote";
    }

    /** One that joins as a voter is promoted by the cluster itself; whoever comes first does it. */
    private void promote(MemberInfo learner) {
        if (learner.getClientAddress().isEmpty()) {
            return; // a witness to be
        }
        try {
            MemberAddRequest request =
                    MemberAddRequest.newBuilder().setMember(learner.getId()).build();
            var unused = nodes.admin(admin -> admin.memberAdd(request));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.INVALID_ARGUMENT) {
                throw e;
            }
            // Not caught up yet, or promoted meanwhile: the next look tells.
        }
    }

    /** Who leads, once somebody does. */
    String leader(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (true) {
            Optional<String> leader = MembersCommand.list(nodes).stream()
                    .filter(MemberInfo::getLeader)
                    .map(MemberInfo::getName)
                    .findFirst();
            if (leader.isPresent() || System.nanoTime() - end > 0) {
                return leader.orElse("nobody");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }
}
