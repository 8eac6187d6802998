package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ratis.wire.PeerService;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
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
 * <p>Three things differ from the engine itself. Where there are certificates, a request is taken only from the
 * member whose certificate it came under, and sent only to the member it is for. A vote is answered only when the directory that holds it was flushed: the
 * engine renames its vote into place and answers, so a power cut could make it vote twice in a term. And votes and
 * entries wait for each other: the engine looks at an entry's term first and appends it after, and a vote for another
 * leader in between would let the old one count what the new one lacks.
 */
final class PeerDoor implements PeerService {
    private final RaftServer engine;
    private final DurableDirectory directory;
    private final boolean certificates;
    private final Object turn = new Object();

    PeerDoor(RaftServer engine, DurableDirectory directory, boolean certificates) {
        this.engine = engine;
        this.directory = directory;
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
        synchronized (turn) {
            // Returns when the entries are in the log's memory, not when they are written.
            return engine.appendEntriesAsync(request);
        }
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
