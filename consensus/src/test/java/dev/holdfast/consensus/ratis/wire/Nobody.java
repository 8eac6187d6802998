package dev.holdfast.consensus.ratis.wire;

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

/** For those who only call. */
public class Nobody implements PeerService {
    @Override
    public void admit(Optional<String> shown, RaftRpcRequestProto request) throws IOException {
        throw new IOException("nobody is here");
    }

    @Override
    public void campaign(RequestVoteRequestProto request) {}

    @Override
    public void recognize(Optional<String> shown, RaftPeerId called) {}

    @Override
    public CompletableFuture<AppendEntriesReplyProto> append(AppendEntriesRequestProto request) throws IOException {
        throw new IOException("nobody is here");
    }

    @Override
    public RequestVoteReplyProto vote(RequestVoteRequestProto request) throws IOException {
        throw new IOException("nobody is here");
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        throw new IOException("nobody is here");
    }

    @Override
    public StartLeaderElectionReplyProto startElection(StartLeaderElectionRequestProto request) throws IOException {
        throw new IOException("nobody is here");
    }
}
