package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ratis.wire.PeerService;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;

/**
 * The engine as other members see it.
 *
 * <p>What differs from the engine itself:
 *
 * <ul>
 *   <li>Where there are certificates, a request is taken only from the member whose certificate it came under, and sent
 *       only to the member it is for.
 *   <li>An entry is acknowledged only when it is flushed. The engine takes one that it has in memory for one that it
 *       has, if it is sent again.
 *   <li>A vote is given or asked for only when the {@link Ballot} allows it and has it on disk.
 *   <li>Votes and entries wait for each other: the engine looks at an entry's term first and appends it after. A vote
 *       for another leader in between would let the old one count what the new one lacks; one for this member, and it
 *       might put the old leader's entry in the place of one that it committed itself.
 *   <li>Votes are asked for only with a log that is on disk: who leads with what a power cut would take counts itself
 *       for what it does not have.
 * </ul>
 */
final class PeerDoor implements PeerService {
    private static final long LONGEST_WAIT_MILLIS = 100;

    private final RaftServer engine;
    private final DurableDirectory directory;
    private final FlushedLog flushed;
    private final Ballot ballot;
    private final boolean certificates;
    private final ReentrantLock turn = new ReentrantLock();

    PeerDoor(RaftServer engine, DurableDirectory directory, FlushedLog flushed, Ballot ballot, boolean certificates) {
        this.engine = engine;
        this.directory = directory;
        this.flushed = flushed;
        this.ballot = ballot;
        this.certificates = certificates;
    }

    @Override
    public void admit(Optional<String> shown, RaftRpcRequestProto request) throws IOException {
        NodeId claimed = Peers.id(RaftPeerId.valueOf(request.getRequestorId()));
        if (isAnother(claimed, shown)) {
            throw new IOException("a request in the name of " + claimed + " came with the certificate of "
                    + shown.orElse("no member"));
        }
    }

    @Override
    public void recognize(Optional<String> shown, RaftPeerId called) throws IOException {
        NodeId expected = Peers.id(called);
        if (isAnother(expected, shown)) {
            throw new IOException("at the address of " + expected + " answers who has the certificate of "
                    + shown.orElse("no member"));
        }
    }

    private boolean isAnother(NodeId expected, Optional<String> shown) {
        return certificates && !expected.name().equals(shown.orElse(""));
    }

    @Override
    public CompletableFuture<AppendEntriesReplyProto> append(AppendEntriesRequestProto request) throws IOException {
        CompletableFuture<AppendEntriesReplyProto> taken;
        turn.lock();
        try {
            int cuts = flushed.cuts();
            // Returns when the entries are in the log's memory, not when they are written.
            taken = engine.appendEntriesAsync(request);
            int cutsNow = flushed.cuts();
            if (cutsNow != cuts) {
                taken = taken.thenApply(reply -> {
                    flushed.cut(cutsNow);
                    return reply;
                });
            }
        } finally {
            turn.unlock();
        }
        return taken.thenCompose(reply -> onlyWhatIsFlushed(request, reply));
    }

    private CompletableFuture<AppendEntriesReplyProto> onlyWhatIsFlushed(
            AppendEntriesRequestProto request, AppendEntriesReplyProto reply) {
        if (reply.getResult() != AppendResult.SUCCESS) {
            return CompletableFuture.completedFuture(reply);
        }
        int entries = request.getEntriesCount();
        if (entries > 0) {
            return flushed.await(request.getEntries(entries - 1).getIndex()).thenApply(done -> reply);
        }
        // A sign of life does not wait for the disk, and claims no more than is there.
        long next = Math.min(reply.getNextIndex(), flushed.index() + 1);
        return CompletableFuture.completedFuture(
                next == reply.getNextIndex()
                        ? reply
                        : reply.toBuilder().setNextIndex(next).build());
    }

    @Override
    public RequestVoteReplyProto vote(RequestVoteRequestProto request) throws IOException {
        if (request.getPreVote()) {
            return engine.requestVote(request);
        }
        turn.lock();
        try {
            RequestVoteReplyProto reply = engine.requestVote(request);
            if (!reply.getServerReply().getSuccess()) {
                directory.flush();
                return reply;
            }
            RaftPeerId candidate = RaftPeerId.valueOf(request.getServerRequest().getRequestorId());
            return ballot.cast(request.getCandidateTerm(), candidate) ? reply : refused(reply);
        } finally {
            turn.unlock();
        }
    }

    private RequestVoteReplyProto refused(RequestVoteReplyProto granted) {
        return granted.toBuilder()
                .setServerReply(granted.getServerReply().toBuilder().setSuccess(false))
                .setTerm(Math.max(granted.getTerm(), ballot.term()))
                .build();
    }

    @Override
    public void campaign(RequestVoteRequestProto request) throws IOException {
        requireFlushedLog();
        if (request.getPreVote()) {
            return;
        }
        awaitTurn();
        try {
            // Again: entries may have come while this member waited for its turn.
            requireFlushedLog();
            RaftPeerId self = RaftPeerId.valueOf(request.getServerRequest().getRequestorId());
            if (!ballot.cast(request.getCandidateTerm(), self)) {
                throw new IOException("this member voted for another in term " + request.getCandidateTerm()
                        + " or later: it asks for no vote");
            }
        } finally {
            turn.unlock();
        }
    }

    private void requireFlushedLog() throws IOException {
        if (!flushed.isComplete()) {
            throw new IOException("this member has entries that are not on its disk yet: it asks for no vote");
        }
    }

    /** Not for ever: the engine may be ending the very election, to take an entry, and wait for it to end. */
    private void awaitTurn() throws IOException {
        try {
            if (!turn.tryLock(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IOException("this member is taking entries: it asks for no vote");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the election is over", e);
        }
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return engine.installSnapshot(request);
    }

    @Override
    public StartLeaderElectionReplyProto startElection(StartLeaderElectionRequestProto request) throws IOException {
        turn.lock();
        try {
            return engine.startLeaderElection(request);
        } finally {
            turn.unlock();
        }
    }
}
