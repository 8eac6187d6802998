package dev.holdfast.server.grpc;

import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Role;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.MemberAddRequest;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberListRequest;
import dev.holdfast.protocol.v1.MemberListResponse;
import dev.holdfast.protocol.v1.MemberRemoveRequest;
import dev.holdfast.protocol.v1.MemberReplaceRequest;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import dev.holdfast.protocol.v1.TransferLeadershipResponse;
import dev.holdfast.server.cluster.Identities;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Failures;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Who the members are, and changes of them. What only the leader can do is passed on to it. */
final class MemberCalls {
    private static final Duration CHANGE = Duration.ofSeconds(30);
    private static final Duration TRANSFER = Duration.ofSeconds(5);
    private static final String MEMBERSHIP = "membership";
    private static final String LEADERSHIP = "leadership";

    private final NodeCore node;
    private final GrpcNode edge;
    private final UnaryCalls calls;

    MemberCalls(GrpcNode edge, UnaryCalls calls) {
        this.node = edge.core();
        this.edge = edge;
        this.calls = calls;
    }

    /** The leader's list, if there is one: it knows how far each member has come. */
    void list(MemberListRequest request, StreamObserver<MemberListResponse> out) {
        onLeader(
                out,
                TRANSFER,
                leader -> leader.memberList(request, out),
                () -> CompletableFuture.completedFuture(this::members));
    }

    void add(MemberAddRequest request, StreamObserver<MemberListResponse> out) {
        change(
                out,
                leader -> leader.memberAdd(request, out),
                () -> node.changes().promote(request.getMember()));
    }

    void remove(MemberRemoveRequest request, StreamObserver<MemberListResponse> out) {
        change(
                out,
                leader -> leader.memberRemove(request, out),
                () -> node.changes().remove(request.getMember()));
    }

    void replace(MemberReplaceRequest request, StreamObserver<MemberListResponse> out) {
        change(
                out,
                leader -> leader.memberReplace(request, out),
                () -> node.changes().replace(request.getOldMember(), request.getNewMember()));
    }

    private void change(
            StreamObserver<MemberListResponse> out,
            Consumer<AdminGrpc.AdminStub> passOn,
            Supplier<CompletableFuture<Void>> change) {
        onLeader(out, CHANGE, passOn, () -> Failures.ofLog(MEMBERSHIP, change).thenApply(done -> this::members));
    }

    void transfer(TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> out) {
        onLeader(
                out,
                CHANGE,
                leader -> leader.transferLeadership(request, out),
                // The last stamp of this leader: the next one's clock goes on from there.
                () -> node.local()
                        .barrier(Flow.OF_NODE)
                        .thenCompose(stamp ->
                                Failures.ofLog(LEADERSHIP, () -> node.changes().transfer(request.getTo(), TRANSFER)))
                        .thenApply(done -> this::transferred));
    }

    private TransferLeadershipResponse transferred() {
        return TransferLeadershipResponse.newBuilder()
                .setHeader(edge.header())
                .setLeader(node.neighbours()
                        .leader()
                        .map(member -> member.id().toString())
                        .orElse(""))
                .build();
    }

    private <R> void onLeader(
            StreamObserver<R> out,
            Duration atMost,
            Consumer<AdminGrpc.AdminStub> passOn,
            Supplier<CompletableFuture<Supplier<R>>> here) {
        Optional<String> leader = node.neighbours().leaderAddress();
        if (leader.isPresent()) {
            passOn.accept(node.peers().admin().apply(leader.get(), atMost));
        } else {
            calls.answer(out, call -> here.get());
        }
    }

    private MemberListResponse members() {
        LogStatus status = node.log().status();
        MemberListResponse.Builder response = MemberListResponse.newBuilder().setHeader(edge.header());
        status.members().forEach(member -> response.addMembers(member(member, status)));
        return response.build();
    }

    private MemberInfo member(Member member, LogStatus status) {
        boolean leads = status.role() instanceof Role.Leading;
        boolean self = member.id().equals(node.self().id());
        boolean leader =
                leads ? self : node.neighbours().leader().filter(member::equals).isPresent();
        return MemberInfo.newBuilder()
                .setId(member.id().toString())
                .setName(member.id().name())
                .setMemberId(member.id().number())
                .setPeerAddress(member.peerAddress())
                .setClientAddress(member.clientAddress())
                .setPart(Identities.of(member.part()))
                .setLeader(leader)
                .setMatchedIndex(
                        leads && self ? status.applied() : status.matched().getOrDefault(member.id(), -1L))
                .setSilentMs(status.silentMillis().getOrDefault(member.id(), leads ? 0L : -1L))
                .build();
    }
}
