package dev.holdfast.server.cluster;

import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.v1.JoinResponse;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Changes who is a member, on the leader, one step at a time: a newcomer follows without a vote until it has caught up;
 * whoever takes another's place does so in one step.
 */
public final class MemberChanges {
    /** How many entries a learner may be behind and still count as caught up. */
    private static final long CAUGHT_UP = 100;

    private static final String FIELD = "member";

    private final ReplicatedLog log;
    private final NodeId self;
    private final Set<String> joining = ConcurrentHashMap.newKeySet();

    public MemberChanges(ReplicatedLog log, NodeId self) {
        this.log = log;
        this.self = self;
    }

    /** Moves a joining node one step further. */
    public CompletableFuture<JoinResponse> join(Member candidate, String replaces, boolean running) {
        LogStatus status = log.status();
        List<Member> members = status.members();
        Optional<Member> present = byId(members, candidate.id());
        if (present.isPresent() && present.get().part() == candidate.part()) {
            return knowsThatItVotes(status, candidate.id())
                    ? answer(JoinResponse.Stage.JOINED, "")
                    : answer(JoinResponse.Stage.LEARNING, "learning that it is a member");
        }
        Optional<Member> replaced = replaces.isEmpty() ? Optional.empty() : byName(members, replaces);
        if (present.isEmpty()) {
            Optional<Member> namesake = byName(members, candidate.id().name());
            if (namesake.isPresent() && !namesake.equals(replaced)) {
                return answer(
                        JoinResponse.Stage.REFUSED,
                        "a member of that name exists, " + namesake.get().id()
                                + ": choose another name, or set cluster.replaces to take its place");
            }
            if (!replaces.isEmpty() && replaced.isEmpty()) {
                return answer(JoinResponse.Stage.REFUSED, "there is no member \"" + replaces + "\" to replace");
            }
            if (!running) {
                return answer(JoinResponse.Stage.LEARNING, "start the engine");
            }
            Member learner = as(candidate, Part.LEARNER);
            String name = candidate.id().name();
            joining.add(name);
            return step(members, with(members, learner), "added as a learner")
                    .whenComplete((answer, failure) -> joining.remove(name));
        }
        if (!isCaughtUp(status, candidate.id())) {
            return answer(JoinResponse.Stage.LEARNING, "catching up");
        }
        List<Member> next = with(without(members, candidate.id()), candidate);
        if (replaced.isPresent()) {
            next = without(next, replaced.get().id());
        }
        return step(members, next, "made a member");
    }

    /** Whether a node of this name is just being made a member: it learns the state before it is one. */
    public boolean isJoining(String name) {
        return joining.contains(name);
    }

    private CompletableFuture<JoinResponse> step(List<Member> from, List<Member> to, String what) {
        return log.reconfigure(from, to)
                .thenCompose(done -> answer(JoinResponse.Stage.LEARNING, what))
                .exceptionallyCompose(failure -> answer(JoinResponse.Stage.LEARNING, message(failure)));
    }

    private static String message(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage());
    }

    private static CompletableFuture<JoinResponse> answer(JoinResponse.Stage stage, String reason) {
        return CompletableFuture.completedFuture(
                JoinResponse.newBuilder().setStage(stage).setReason(reason).build());
    }

    // What an operator asks for: throws Rejected where the members as they are stand against it.

    /** Makes a learner a voter. */
    public CompletableFuture<Void> promote(String learner) {
        LogStatus status = log.status();
        Member member = require(status.members(), learner);
        if (member.part() != Part.LEARNER) {
            throw notNow(member.id().name() + " votes already");
        }
        if (!isCaughtUp(status, member.id())) {
            throw notNow(member.id().name() + " has not caught up yet; try again in a while");
        }
        return log.reconfigure(status.members(), with(without(status.members(), member.id()), as(member, Part.VOTER)));
    }

    /** Takes a member out. The leader hands leadership on first. */
    public CompletableFuture<Void> remove(String name) {
        List<Member> members = log.status().members();
        Member member = require(members, name);
        if (member.votes()
                && members.stream().filter(other -> other.part() == Part.VOTER).count() == 1
                && member.part() == Part.VOTER) {
            throw notNow(member.id().name() + " is the last full voter; stop the cluster instead");
        }
        return log.reconfigure(members, without(members, member.id()));
    }

    /** Puts a learner in a voter's place, in one step. */
    public CompletableFuture<Void> replace(String old, String learner) {
        LogStatus status = log.status();
        Member leaving = require(status.members(), old);
        Member coming = require(status.members(), learner);
        if (!isCaughtUp(status, coming.id())) {
            throw notNow(coming.id().name() + " has not caught up yet; try again in a while");
        }
        List<Member> next = without(without(status.members(), leaving.id()), coming.id());
        return log.reconfigure(status.members(), with(next, as(coming, Part.VOTER)));
    }

    public CompletableFuture<Void> transfer(String to, Duration atMost) {
        Optional<NodeId> target = to.isEmpty()
                ? Optional.empty()
                : Optional.of(require(log.status().members(), to).id());
        return target.equals(Optional.of(self))
                ? CompletableFuture.completedFuture(null)
                : log.transferLeadership(target, atMost);
    }

    /** Until it does it would give nobody its vote, which the others may need already. One that leads has all of them. */
    private boolean knowsThatItVotes(LogStatus status, NodeId id) {
        return id.equals(self) || status.matched().getOrDefault(id, -1L) >= status.membersSince();
    }

    private static boolean isCaughtUp(LogStatus status, NodeId id) {
        return status.matched().getOrDefault(id, -1L) >= status.applied() - CAUGHT_UP;
    }

    private static Rejected notNow(String message) {
        return Rejection.of(ErrorCode.FAILED_PRECONDITION, FIELD, message).toException();
    }

    private static Member require(List<Member> members, String nameOrId) {
        return byName(members, nameOrId)
                .orElseThrow(() -> Rejection.of(
                                ErrorCode.NOT_FOUND,
                                FIELD,
                                "there is no member \"" + nameOrId + "\"; the members are "
                                        + members.stream()
                                                .map(member -> member.id().name())
                                                .toList())
                        .toException());
    }

    /** By id, or by a name that only one member has. */
    private static Optional<Member> byName(List<Member> members, String nameOrId) {
        List<Member> found = members.stream()
                .filter(member -> member.id().toString().equals(nameOrId)
                        || member.id().name().equals(nameOrId))
                .toList();
        if (found.size() > 1) {
            throw Rejected.invalid(
                    FIELD,
                    "\"" + nameOrId + "\" is the name of " + found.size() + " members; give the id of one: "
                            + found.stream().map(Member::id).toList());
        }
        return found.stream().findFirst();
    }

    private static Optional<Member> byId(List<Member> members, NodeId id) {
        return members.stream().filter(member -> member.id().equals(id)).findFirst();
    }

    private static Member as(Member member, Part part) {
        return new Member(member.id(), member.peerAddress(), member.clientAddress(), part);
    }

    private static List<Member> with(List<Member> members, Member added) {
        List<Member> next = new ArrayList<>(members);
        next.add(added);
        return next;
    }

    private static List<Member> without(List<Member> members, NodeId id) {
        return members.stream().filter(member -> !member.id().equals(id)).toList();
    }
}
