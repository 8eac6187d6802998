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

/** What members may ask of each other, and when. */
public interface PeerService {

    /**
     * Refuses a request in the name of another.
     *
     * @param shown the member whose certificate the connection came with, if it came with one
     */
    void admit(Optional<String> shown, RaftRpcRequestProto request) throws IOException;

    /** Refuses a connection to a member at whose address another one answers. */
    void recognize(Optional<String> shown, RaftPeerId called) throws IOException;

    /** Refuses to ask another member for a vote that this one must not ask for now. */
    void campaign(RequestVoteRequestProto request) throws IOException;

    CompletableFuture<AppendEntriesReplyProto> append(AppendEntriesRequestProto request) throws IOException;

    RequestVoteReplyProto vote(RequestVoteRequestProto request) throws IOException;

    InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException;

    StartLeaderElectionReplyProto startElection(StartLeaderElectionRequestProto request) throws IOException;
}
