package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.Part;
import java.util.List;
import java.util.stream.Collectors;

/** Whether enough of a cluster is alive to go on. */
final class MajorityCheck {
    private static final long SILENT_MILLIS = 5_000;

    private MajorityCheck() {}

    /** Refuses a removal after which those that are silent now could not be outvoted. */
    static void refuseIfLost(List<MemberInfo> members, MemberInfo leaving) {
        List<MemberInfo> voters = members.stream()
                .filter(member -> member.getPart() != Part.LEARNER && !member.equals(leaving))
                .toList();
        List<String> silent = voters.stream()
                .filter(member -> !member.getLeader() && member.getSilentMs() > SILENT_MILLIS)
                .map(MemberInfo::getName)
                .toList();
        int alive = voters.size() - silent.size();
        if (leaving.getPart() != Part.LEARNER && alive < voters.size() / 2 + 1) {
            throw new Failure(
                    ExitCode.USAGE,
                    "without " + leaving.getName() + " only " + alive + " of " + voters.size()
                            + " voters would be alive, and nothing could be granted, nor undone: bring back or replace "
                            + silent.stream().collect(Collectors.joining(", ")) + " first");
        }
    }
}
