package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ratis.Followers.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who belongs to the cluster, whether this node still does, and how that and leadership are changed. */
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private final RaftPeerId self;
    private final Path file;
    private final DurableDirectory directory;
    private final Failure failure;
    private volatile boolean left;

    Membership(RaftPeerId self, Path directory, DurableDirectory durable, Failure failure) {
        this.self = self;
        this.file = directory.resolve("raft-meta.conf");
        this.directory = durable;
        this.failure = failure;
    }

    /** The engine takes an unreadable configuration for none, and would start with one long gone. */
    void checkStored() throws IOException {
        if (Files.exists(file)) {
            try {
                stored();
            } catch (IOException e) {
                throw Replacement.refuse(file, "the list of members cannot be read", e);
            }
        }
    }

    private LogEntryProto stored() throws IOException {
        LogEntryProto entry = LogEntryProto.parseFrom(Files.readAllBytes(file));
        if (!entry.hasConfigurationEntry()) {
            throw new IOException("no members in it");
        }
        return entry;
    }

    /** A configuration was applied. The engine has just stored it, and would have ignored if it could not. */
    void changed(long term, long index, RaftConfigurationProto configuration) {
        try {
            LogEntryProto stored = stored();
            if (stored.getIndex() < index) {
                throw new IOException(file + " is of entry " + stored.getIndex() + ", not " + index);
            }
            directory.flush();
        } catch (IOException e) {
            failure.report(
                    "the list of members could not be stored: make sure that the disk has space and is sound, then start"
                            + " again",
                    e);
        }
        if (Peers.leavesOut(configuration, self)) {
            leftOut();
        } else {
            left = false;
        }
        LOG.debug("{}: members at {} of term {}", self, index, term);
    }

    /** This node was removed: the engine is closing, or will be left alone by the others. */
    void leftOut() {
        if (!left) {
            // Also while an old configuration is replayed: whoever must act on it asks the leader.
            LOG.debug("{} is not a member", self);
        }
        left = true;
    }

    boolean hasLeft() {
        return left;
    }

    CompletableFuture<Void> reconfigure(Engine engine, List<Member> expected, List<Member> next) {
        List<Member> current = Peers.members(engine.division().getRaftConf());
        try {
            RatisSettings.checkMembers(next);
            if (!Set.copyOf(current).equals(Set.copyOf(expected))) {
                throw LogException.refused("the members are " + current + ", not the expected " + expected);
            }
            checkChange(current, next);
        } catch (LogException e) {
            return CompletableFuture.failedFuture(e);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(LogException.refused(String.valueOf(e.getMessage())));
        }
        return engine.setConfiguration(SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(Peers.peers(current, true))
                .setListenersInCurrentConf(Peers.peers(current, false))
                .setServersInNewConf(Peers.peers(next, true))
                .setListenersInNewConf(Peers.peers(next, false))
                .build());
    }

    /** The engine ignores a new address of a known id, and a directory is either a witness's or not. */
    private static void checkChange(List<Member> current, List<Member> next) {
        Map<NodeId, Member> before = current.stream().collect(Collectors.toMap(Member::id, member -> member));
        for (Member member : next) {
            Member was = before.get(member.id());
            if (was != null && !isAllowed(was, member)) {
                throw LogException.refused(
                        "of a member that stays, only a learner can change, to a voter, or to a witness if it"
                                + " serves nobody: it is " + was
                                + ", and should be " + member
                                + ". Remove it, and let it join again with an empty directory.");
            }
        }
    }

    private static boolean isAllowed(Member was, Member is) {
        Part promoted = was.isFull() ? Part.VOTER : Part.WITNESS;
        boolean sameOrPromoted = was.part() == is.part() || (was.part() == Part.LEARNER && is.part() == promoted);
        return sameOrPromoted
                && was.peerAddress().equals(is.peerAddress())
                && was.clientAddress().equals(is.clientAddress());
    }

    CompletableFuture<Void> transfer(Engine engine, Optional<NodeId> to, Duration atMost) {
        Map<NodeId, Progress> followers = Followers.of(engine.division());
        List<NodeId> able = Peers.members(engine.division().getRaftConf()).stream()
                .filter(member -> member.part() == Part.VOTER)
                .map(Member::id)
                .toList();
        Optional<NodeId> chosen = to.isPresent() ? to.filter(able::contains) : furthest(followers, able, atMost);
        if (chosen.isEmpty()) {
            return CompletableFuture.failedFuture(
                    engine.leads()
                            ? LogException.refused("no other full voter can take over"
                                    + to.map(id -> ", not " + id).orElse(""))
                            : new LogException("this node does not lead"));
        }
        return engine.transferLeadership(chosen.get(), atMost);
    }

    /** The most caught-up of those that answered lately. */
    private static Optional<NodeId> furthest(Map<NodeId, Progress> followers, List<NodeId> able, Duration atMost) {
        return followers.entrySet().stream()
                .filter(follower -> able.contains(follower.getKey()))
                .filter(follower -> follower.getValue().silentMillis() <= Math.max(1_000, atMost.toMillis()))
                .max((a, b) -> Long.compare(a.getValue().matched(), b.getValue().matched()))
                .map(Map.Entry::getKey);
    }
}
