package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The running engine, and the calls this adapter makes to it.
 *
 * <p>The engine remembers calls by client and number and would answer a number it knows from memory: so each
 * process is a new client, and numbers only grow.
 */
final class Engine {
    private static final long SNAPSHOT_TIMEOUT_MILLIS = 60_000;
    private static final long CREATION_GAP = 1;

    private final RaftServer server;
    private final RaftServer.Division division;
    private final RaftGroupId group;
    private final ClientId client;
    private final AtomicLong calls = new AtomicLong();

    Engine(RaftServer server, RaftGroupId group, ClientId client) throws IOException {
        this.server = server;
        this.division = server.getDivision(group);
        this.group = group;
        this.client = client;
    }

    RaftServer.Division division() {
        return division;
    }

    boolean leads() {
        return division.getInfo().isLeader();
    }

    long nextCall() {
        return calls.incrementAndGet();
    }

    /** Appends to the log on the calling thread; by way of the server it would hop through a pool. */
    CompletableFuture<RaftClientReply> append(long call, ByteString bytes) throws IOException {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(group)
                .setCallId(call)
                .setMessage(Message.valueOf(bytes))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        return ((RaftClientAsynchronousProtocol) division).submitClientRequestAsync(request);
    }

    CompletableFuture<Void> setConfiguration(SetConfigurationRequest.Arguments arguments) {
        return administer(() -> server.setConfigurationAsync(
                new SetConfigurationRequest(client, server.getId(), group, nextCall(), arguments)));
    }

    CompletableFuture<Void> transferLeadership(NodeId to, Duration atMost) {
        return administer(() -> server.transferLeadershipAsync(new TransferLeadershipRequest(
                client, server.getId(), group, nextCall(), Peers.id(to), atMost.toMillis())));
    }

    /** Leads no more, whoever comes after. */
    CompletableFuture<Void> stepDown(Duration atMost) {
        return administer(() -> server.transferLeadershipAsync(
                new TransferLeadershipRequest(client, server.getId(), group, nextCall(), null, atMost.toMillis())));
    }

    CompletableFuture<Void> snapshot() {
        return administer(() -> server.snapshotManagementAsync(SnapshotManagementRequest.newCreate(
                client, server.getId(), group, nextCall(), SNAPSHOT_TIMEOUT_MILLIS, CREATION_GAP)));
    }

    /** Asks a peer, without consequences, whether it would vote for this member now. */
    boolean wouldVote(RaftPeerId peer, long term, TermIndex last) throws IOException {
        RequestVoteRequestProto request = RequestVoteRequestProto.newBuilder()
                .setServerRequest(ClientProtoUtils.toRaftRpcRequestProtoBuilder(division.getMemberId(), peer)
                        .setCallId(nextCall()))
                .setCandidateTerm(term)
                .setCandidateLastEntry(last.toProto())
                .setPreVote(true)
                .build();
        return server.getServerRpc().requestVote(request).getServerReply().getSuccess();
    }

    /** Campaigns at once, as if the leader had handed over: the engine knows no other way to be told. */
    void campaign(RaftPeerId leader, TermIndex last) throws IOException {
        server.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(ClientProtoUtils.toRaftRpcRequestProtoBuilder(
                        RaftGroupMemberId.valueOf(leader, group), server.getId()))
                .setLeaderLastEntry(last.toProto())
                .build());
    }

    void close() throws IOException {
        server.close();
    }

    private interface Call {
        CompletableFuture<RaftClientReply> send() throws IOException;
    }

    private static CompletableFuture<Void> administer(Call call) {
        CompletableFuture<RaftClientReply> reply;
        try {
            reply = call.send();
        } catch (IOException | RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return reply.handle((answer, e) -> {
            Throwable failure = e == null ? answer.getException() : e;
            if (failure != null) {
                throw new CompletionException(asLogException(failure));
            }
            return null;
        });
    }

    private static LogException asLogException(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof LogException known
                ? known
                : new LogException(String.valueOf(cause.getMessage()), cause);
    }
}
