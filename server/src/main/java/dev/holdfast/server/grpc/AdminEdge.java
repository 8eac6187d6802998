package dev.holdfast.server.grpc;

import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Limits;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.CompactRequest;
import dev.holdfast.protocol.v1.CompactResponse;
import dev.holdfast.protocol.v1.FeatureLevelRaiseRequest;
import dev.holdfast.protocol.v1.FeatureLevelRaiseResponse;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.ForceReleaseResponse;
import dev.holdfast.protocol.v1.LimitInfo;
import dev.holdfast.protocol.v1.LimitListRequest;
import dev.holdfast.protocol.v1.LimitListResponse;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.MemberAddRequest;
import dev.holdfast.protocol.v1.MemberListRequest;
import dev.holdfast.protocol.v1.MemberListResponse;
import dev.holdfast.protocol.v1.MemberRemoveRequest;
import dev.holdfast.protocol.v1.MemberReplaceRequest;
import dev.holdfast.protocol.v1.SnapshotChunk;
import dev.holdfast.protocol.v1.SnapshotSaveRequest;
import dev.holdfast.protocol.v1.StateHashRequest;
import dev.holdfast.protocol.v1.StateHashResponse;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import dev.holdfast.protocol.v1.TransferLeadershipResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.backup.Backup;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Maintenance;
import dev.holdfast.server.operation.Questions;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.operation.ReplicatedSettings;
import dev.holdfast.server.read.Reads.Found;
import dev.holdfast.server.read.Reads.Question;
import dev.holdfast.server.request.Rejection;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The calls of operators: reads the request, has it carried out, writes the answer. */
final class AdminEdge extends AdminGrpc.AdminImplBase {
    private static final long READY_NANOS = 1_000_000;

    private final GrpcNode edge;
    private final NodeCore node;
    private final UnaryCalls calls;
    private final CallScopes scopes;
    private final MemberCalls members;
    private final Maintenance maintenance;
    private final ReplicatedSettings settings;
    private final Questions questions;
    private final Bounds bounds;

    AdminEdge(GrpcNode edge, CallScopes scopes) {
        this.edge = edge;
        this.node = edge.core();
        this.calls = new UnaryCalls(edge.failures(), scopes, node.metrics());
        this.scopes = scopes;
        this.members = new MemberCalls(edge, calls);
        this.maintenance = new Maintenance(node);
        this.settings = new ReplicatedSettings(node);
        this.bounds = new Bounds(node.replica());
        this.questions = new Questions(node.reads(), bounds);
    }

    // Members ------------------------------------------------------------------------------------------

    @Override
    public void memberList(MemberListRequest request, StreamObserver<MemberListResponse> out) {
        members.list(request, out);
    }

    @Override
    public void memberAdd(MemberAddRequest request, StreamObserver<MemberListResponse> out) {
        members.add(request, out);
    }

    @Override
    public void memberRemove(MemberRemoveRequest request, StreamObserver<MemberListResponse> out) {
        members.remove(request, out);
    }

    @Override
    public void memberReplace(MemberReplaceRequest request, StreamObserver<MemberListResponse> out) {
        members.replace(request, out);
    }

    @Override
    public void transferLeadership(TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> out) {
        members.transfer(request, out);
    }

    // The node, its log and its state ------------------------------------------------------------------

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> out) {
        Maintenance.Status status = maintenance.status();
        out.onNext(StatusResponse.newBuilder()
                .setHeader(edge.header())
                .setVersion(status.version())
                .setMember(node.self().id().toString())
                .setRole(status.role())
                .setLog(status.log().description())
                .setAppliedIndex(status.applied())
                .setSnapshotIndex(status.log().snapshot())
                .setWatches(node.watches().watches())
                .setSessions(node.sessions().count())
                .setWaiters(status.waiters())
                .setSupportedFeatureLevel(NodeCore.FEATURE_LEVEL)
                .setMembersReachable(status.reachable())
                .setMembers(status.voters())
                .addAllWarnings(status.warnings())
                .setLeases(status.leases())
                .setLocks(status.locks())
                .setFeatureLevel(status.featureLevel())
                .build());
        out.onCompleted();
    }

    @Override
    public void stateHash(StateHashRequest request, StreamObserver<StateHashResponse> out) {
        calls.answer(
                out,
                call -> maintenance
                        .stateHash(request.getAtIndex())
                        .thenApply(hash -> () -> StateHashResponse.newBuilder()
                                .setHeader(edge.header())
                                .setIndex(hash.index())
                                .setHash(hash.value())
                                .build()));
    }

    @Override
    public void compact(CompactRequest request, StreamObserver<CompactResponse> out) {
        calls.answer(
                out,
                call -> maintenance
                        .compact()
                        .thenApply(index -> () -> CompactResponse.newBuilder()
                                .setHeader(edge.header())
                                .setIndex(index)
                                .build()));
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are answered
    public void snapshotSave(SnapshotSaveRequest request, StreamObserver<SnapshotChunk> out) {
        Executor blocking = scopes.blocking();
        maintenance.prepareBackup().whenComplete((index, failure) -> {
            if (failure != null) {
                out.onError(GrpcErrors.exception(edge.failures(), failure));
            } else {
                blocking.execute(() -> send((ServerCallStreamObserver<SnapshotChunk>) out));
            }
        });
    }

    private void send(ServerCallStreamObserver<SnapshotChunk> out) {
        try (Backup.Source backup = maintenance.backup()) {
            byte[] chunk = backup.next();
            while (chunk.length > 0 && !out.isCancelled()) {
                if (out.isReady()) {
                    out.onNext(SnapshotChunk.newBuilder()
                            .setData(UnsafeByteOperations.unsafeWrap(chunk))
                            .build());
                    chunk = backup.next();
                } else {
                    LockSupport.parkNanos(READY_NANOS); // the other side is slower than the disk
                }
            }
            out.onCompleted();
        } catch (IOException e) {
            out.onError(GrpcErrors.exception(
                    Rejection.of(ErrorCode.UNAVAILABLE, "snapshot", "cannot read the snapshot: " + e.getMessage())));
        }
    }

    // Locks and limits ---------------------------------------------------------------------------------

    @Override
    public void forceRelease(ForceReleaseRequest request, StreamObserver<ForceReleaseResponse> out) {
        calls.answer(out, call -> {
            Caller caller = call.caller();
            LockKey key = bounds.key("name", request.getName());
            String by = caller.principal().isEmpty() ? request.getBy() : caller.principal();
            Asked asked = CommandCalls.asked(0, false, caller);
            Command.ForceRelease command =
                    new Command.ForceRelease(key, request.getFencingToken(), by, request.getReason());
            return edge.commands().submit(command, asked).thenApply(answer -> () -> {
                if (answer.result() instanceof Result.Refused refused) {
                    throw Refusals.rejected(refused, asked);
                }
                return ForceReleaseResponse.newBuilder()
                        .setHeader(edge.header(answer.stamp()))
                        .setReleased(answer.result().kind() == Result.Kind.RELEASED)
                        .build();
            });
        });
    }

    @Override
    public void limitList(LimitListRequest request, StreamObserver<LimitListResponse> out) {
        calls.answer(out, call -> limits(call.caller()));
    }

    @Override
    public void limitSet(LimitSetRequest request, StreamObserver<LimitListResponse> out) {
        calls.answer(
                out,
                call -> settings.setLimit(request.getName(), request.getValue(), call.caller())
                        .thenCompose(done -> limits(call.caller())));
    }

    private CompletableFuture<Supplier<LimitListResponse>> limits(Caller caller) {
        Question<Limits> question = questions.limits(caller);
        return question.ready().thenApply(ready -> () -> limits(question.look().get()));
    }

    private LimitListResponse limits(Found<Limits> found) {
        LimitListResponse.Builder response =
                LimitListResponse.newBuilder().setHeader(edge.header(found.stamp(), found.epoch()));
        for (Limit limit : Limit.values()) {
            response.addLimits(LimitInfo.newBuilder()
                    .setName(limit.name())
                    .setValue(found.value().get(limit))
                    .setInitial(limit.initial())
                    .setLowest(limit.lowest())
                    .setHighest(limit.highest()));
        }
        return response.build();
    }

    @Override
    public void featureLevelRaise(FeatureLevelRaiseRequest request, StreamObserver<FeatureLevelRaiseResponse> out) {
        calls.answer(
                out,
                call -> settings.raiseFeatureLevel(request.getLevel(), call.caller())
                        .thenApply(answer -> () -> FeatureLevelRaiseResponse.newBuilder()
                                .setHeader(edge.header(answer.stamp()))
                                .setLevel(request.getLevel())
                                .build()));
    }
}
