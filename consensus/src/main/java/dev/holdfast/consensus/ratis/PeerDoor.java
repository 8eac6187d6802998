package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexReplyProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupInfoRequest;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.GroupListRequest;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DataStreamServerRpc;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.util.LifeCycle;

/**
 * The engine as its transport sees it: it serves what peers ask, and nothing else.
 *
 * <p>Three things differ from the engine itself. Where there are certificates, a request is taken only from the
 * member whose certificate it came under. A vote is answered only when the directory that holds it was flushed: the
 * engine renames its vote into place and answers, so a power cut could make it vote twice in a term. And the engine's
 * client and administration calls are refused: entries, members and leadership are the business of this process, not
 * of whoever reaches the peer port.
 */
final class PeerDoor implements RaftServer {
    private static final String DIRECTORY = "holdfast.directory";

    private final RaftServer engine;
    private final DurableDirectory directory;
    private final PeerCertificates certificates;

    PeerDoor(RaftServer engine, Parameters parameters) {
        this.engine = engine;
        this.directory = parameters.getNonNull(DIRECTORY, DurableDirectory.class);
        this.certificates = PeerCertificates.of(parameters);
    }

    /** What a transport, which the engine makes, needs from here. */
    static Parameters parameters(DurableDirectory directory, PeerCertificates certificates) {
        Parameters parameters = new Parameters();
        parameters.put(DIRECTORY, directory, DurableDirectory.class);
        certificates.addTo(parameters);
        return parameters;
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        certificates.check(request.getServerRequest());
        RequestVoteReplyProto reply = engine.requestVote(request);
        if (!request.getPreVote()) {
            directory.flush();
        }
        return reply;
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        certificates.check(request.getServerRequest());
        return engine.appendEntries(request);
    }

    @Override
    public CompletableFuture<AppendEntriesReplyProto> appendEntriesAsync(AppendEntriesRequestProto request)
            throws IOException {
        certificates.check(request.getServerRequest());
        return engine.appendEntriesAsync(request);
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        certificates.check(request.getServerRequest());
        return engine.installSnapshot(request);
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
            throws IOException {
        certificates.check(request.getServerRequest());
        return engine.startLeaderElection(request);
    }

    @Override
    public CompletableFuture<ReadIndexReplyProto> readIndexAsync(ReadIndexRequestProto request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public RaftClientReply submitClientRequest(RaftClientRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public CompletableFuture<RaftClientReply> submitClientRequestAsync(RaftClientRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public GroupListReply getGroupList(GroupListRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public GroupInfoReply getGroupInfo(GroupInfoRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public RaftClientReply groupManagement(GroupManagementRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public RaftClientReply snapshotManagement(SnapshotManagementRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public RaftClientReply leaderElectionManagement(LeaderElectionManagementRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public RaftClientReply setConfiguration(SetConfigurationRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public RaftClientReply transferLeadership(TransferLeadershipRequest request) throws IOException {
        throw refusal();
    }

    @Override
    public CompletableFuture<GroupListReply> getGroupListAsync(GroupListRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<GroupInfoReply> getGroupInfoAsync(GroupInfoRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<RaftClientReply> groupManagementAsync(GroupManagementRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<RaftClientReply> snapshotManagementAsync(SnapshotManagementRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<RaftClientReply> leaderElectionManagementAsync(LeaderElectionManagementRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<RaftClientReply> setConfigurationAsync(SetConfigurationRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public CompletableFuture<RaftClientReply> transferLeadershipAsync(TransferLeadershipRequest request) {
        return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public RaftPeerId getId() {
        return engine.getId();
    }

    @Override
    public RaftPeer getPeer() {
        return engine.getPeer();
    }

    @Override
    public Iterable<RaftGroupId> getGroupIds() {
        return engine.getGroupIds();
    }

    @Override
    public Iterable<RaftGroup> getGroups() throws IOException {
        return engine.getGroups();
    }

    @Override
    public Division getDivision(RaftGroupId groupId) throws IOException {
        return engine.getDivision(groupId);
    }

    @Override
    public RaftProperties getProperties() {
        return engine.getProperties();
    }

    @Override
    public RaftServerRpc getServerRpc() {
        return engine.getServerRpc();
    }

    @Override
    public DataStreamServerRpc getDataStreamServerRpc() {
        return engine.getDataStreamServerRpc();
    }

    @Override
    public ServerFactory getFactory() {
        return engine.getFactory();
    }

    @Override
    public void start() throws IOException {
        engine.start();
    }

    @Override
    public LifeCycle.State getLifeCycleState() {
        return engine.getLifeCycleState();
    }

    @Override
    public void close() throws IOException {
        engine.close();
    }

    private static IOException refusal() {
        return new IOException("the peer port serves peers only");
    }
}
