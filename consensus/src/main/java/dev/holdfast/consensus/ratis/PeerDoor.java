package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ratis.wire.PeerService;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
 *   <li>A vote is answered only when the directory that holds it was flushed: the engine renames its vote into place
 *       and answers, so a power cut could make it vote twice in a term.
 *   <li>Votes and entries wait for each other: the engine looks at an entry's term first and appends it after, and a
 *       vote for another leader in between would let the old one count what the new one lacks.
 * </ul>
 */
final class PeerDoor implements PeerService {
    private final RaftServer engine;
    private final DurableDirectory directory;
    private final FlushedLog flushed;
    private final boolean certificates;
    private final Object turn = new Object();

    PeerDoor(RaftServer engine, DurableDirectory directory, FlushedLog flushed, boolean certificates) {
        this.engine = engine;
        this.directory = directory;
        this.flushed = flushed;
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
        synchronized (turn) {
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
        synchronized (turn) {
            RequestVoteReplyProto reply = engine.requestVote(request);
            directory.flush();
            return reply;
        }
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return engine.installSnapshot(request);
    }

    @Override
    public StartLeaderElectionReplyProto startElection(StartLeaderElectionRequestProto request) throws IOException {
        return engine.startLeaderElection(request);
    }
}
