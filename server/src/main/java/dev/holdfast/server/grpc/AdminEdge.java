package dev.holdfast.server.grpc;

import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Role;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.Code;
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
import dev.holdfast.protocol.v1.MemberInfo;
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
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.backup.Backup;
import dev.holdfast.server.cluster.Identities;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.request.Rejected;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers operators. What only the leader can do is passed on to it. */
public final class AdminEdge extends AdminGrpc.AdminImplBase {
    private static final Duration CHANGE = Duration.ofSeconds(30);
    private static final Duration TRANSFER = Duration.ofSeconds(5);
    private static final long READY_NANOS = 1_000_000;

    private final NodeCore node;
    private final Headers headers;
    private final Failures failures;
    private final CallScopes scopes;

    AdminEdge(NodeCore node, CallScopes scopes) {
        this.node = node;
        this.headers = new Headers(node.facts(), node.replica());
        this.failures = new Failures(node.neighbours());
        this.scopes = scopes;
    }

    @Override
    public void memberList(MemberListRequest request, StreamObserver<MemberListResponse> out) {
        Optional<String> leader = node.neighbours().leaderAddress();
        if (leader.isPresent()) {
            node.peers()
                    .admin()
                    .apply(leader.get(), TRANSFER)
                    .memberList(request, out); // it knows how far each has come
        } else {
            reply(out, members());
        }
    }

    private MemberListResponse members() {
        LogStatus status = node.log().status();
        MemberListResponse.Builder response = MemberListResponse.newBuilder().setHeader(headers.present());
        boolean leads = status.role() instanceof Role.Leading;
        status.members()
                .forEach(member -> response.addMembers(MemberInfo.newBuilder()
                        .setId(member.id().toString())
                        .setName(member.id().name())
                        .setMemberId(member.id().number())
                        .setPeerAddress(member.peerAddress())
                        .setClientAddress(member.clientAddress())
                        .setPart(Identities.of(member.part()))
                        .setLeader(
                                leads
                                        ? member.equals(node.self())
                                        : node.neighbours()
                                                .leader()
                                                .filter(member::equals)
                                                .isPresent())
                        .setMatchedIndex(
                                leads && member.id().equals(node.self().id())
                                        ? status.applied()
                                        : status.matched().getOrDefault(member.id(), -1L))
                        .setSilentMs(status.silentMillis().getOrDefault(member.id(), leads ? 0L : -1L))));
        return response.build();
    }

    @Override
    public void memberAdd(MemberAddRequest request, StreamObserver<MemberListResponse> out) {
        onLeader(
                out,
                admin -> admin.memberAdd(request, out),
                () -> node.changes().promote(request.getMember()));
    }

    @Override
    public void memberRemove(MemberRemoveRequest request, StreamObserver<MemberListResponse> out) {
        onLeader(
                out,
                admin -> admin.memberRemove(request, out),
                () -> node.changes().remove(request.getMember()));
    }

    @Override
    public void memberReplace(MemberReplaceRequest request, StreamObserver<MemberListResponse> out) {
        onLeader(
                out,
                admin -> admin.memberReplace(request, out),
                () -> node.changes().replace(request.getOldMember(), request.getNewMember()));
    }

    private void onLeader(
            StreamObserver<MemberListResponse> out,
            Consumer<AdminGrpc.AdminStub> passOn,
            Supplier<CompletableFuture<Void>> change) {
        Optional<String> leader = node.neighbours().leaderAddress();
        if (leader.isPresent()) {
            passOn.accept(node.peers().admin().apply(leader.get(), CHANGE));
        } else {
            answer(out, attempt(change), (done, to) -> reply(to, members()));
        }
    }

    private static <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> action) {
        try {
            return action.get();
        } catch (LogException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void transferLeadership(TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> out) {
        Optional<String> leader = node.neighbours().leaderAddress();
        if (leader.isPresent()) {
            node.peers().admin().apply(leader.get(), CHANGE).transferLeadership(request, out);
            return;
        }
        // The last stamp of this leader: the next one's clock goes on from there.
        CompletableFuture<Void> done = node.local()
                .barrier()
                .thenCompose(stamp -> attempt(() -> node.changes().transfer(request.getTo(), TRANSFER)));
        answer(
                out,
                done,
                (nothing, to) -> reply(
                        to,
                        TransferLeadershipResponse.newBuilder()
                                .setHeader(headers.present())
                                .setLeader(node.neighbours()
                                        .leader()
                                        .map(member -> member.id().toString())
                                        .orElse(""))
                                .build()));
    }

    @Override
    public void snapshotSave(SnapshotSaveRequest request, StreamObserver<SnapshotChunk> out) {
        Executor executor = scopes.blocking();
        // A backup has everything that was acknowledged before it was asked for.
        CompletableFuture<Reads.Found<Long>> place = node.reads().read(false, MachineView::revision);
        answer(
                out,
                place.thenCompose(found -> node.log().snapshot()),
                (index, to) -> executor.execute(() -> send((ServerCallStreamObserver<SnapshotChunk>) to)));
    }

    private void send(ServerCallStreamObserver<SnapshotChunk> out) {
        try (Backup.Source backup = Backup.of(
                node.cluster(),
                node.log().latestSnapshot().orElseThrow(() -> new IOException("the snapshot is gone already")))) {
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
            out.onError(Errors.toException(
                    Errors.of(Code.UNAVAILABLE, "snapshot", "cannot read the snapshot: " + e.getMessage())));
        }
    }

    @Override
    public void compact(CompactRequest request, StreamObserver<CompactResponse> out) {
        answer(
                out,
                node.log().snapshot(),
                (index, to) -> reply(
                        to,
                        CompactResponse.newBuilder()
                                .setHeader(headers.present())
                                .setIndex(index)
                                .build()));
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> out) {
        LogStatus status = node.log().status();
        StatusResponse.Builder response = StatusResponse.newBuilder()
                .setHeader(headers.present())
                .setVersion(version())
                .setMember(node.self().id().toString())
                .setRole(
                        status.role() instanceof Role.Leading
                                ? "leading"
                                : node.neighbours().leader().isPresent() ? "following" : "no leader")
                .setLog(status.description())
                .setAppliedIndex(node.replica().appliedIndex())
                .setSnapshotIndex(status.snapshot())
                .setWatches(node.watches().watches())
                .setSessions(node.sessions().count())
                .setWaiters(node.metrics().waiters())
                .setSupportedFeatureLevel(NodeCore.FEATURE_LEVEL)
                .setMembersReachable(node.neighbours().reachable())
                .setMembers((int) status.members().stream()
                        .filter(member -> member.votes())
                        .count())
                .addAllWarnings(warnings(status));
        node.replica()
                .ask(view -> response.setLeases(view.leaseCount())
                        .setLocks(view.lockCount())
                        .setFeatureLevel(view.featureLevel()));
        reply(out, response.build());
    }

    private List<String> warnings(LogStatus status) {
        List<String> warnings = new ArrayList<>();
        if (status.members().size() == 1) {
            warnings.add("one node only: what it acknowledged is lost with its disk");
        } else if (node.neighbours().reachable()
                < status.members().stream().filter(member -> member.votes()).count()) {
            warnings.add(node.neighbours().describe());
        }
        return warnings;
    }

    private static String version() {
        String version = AdminEdge.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public void stateHash(StateHashRequest request, StreamObserver<StateHashResponse> out) {
        answer(
                out,
                node.hashes().after(request.getAtIndex()),
                (hash, to) -> reply(
                        to,
                        StateHashResponse.newBuilder()
                                .setHeader(headers.present())
                                .setIndex(hash.index())
                                .setHash(hash.value())
                                .build()));
    }

    @Override
    public void forceRelease(ForceReleaseRequest request, StreamObserver<ForceReleaseResponse> out) {
        if (request.getName().isEmpty()) {
            out.onError(GrpcErrors.exception(failures, Rejected.invalid("name", "is empty; name the lock")));
            return;
        }
        LockKey key = LockKey.of(request.getName());
        Caller caller = scopes.current().caller();
        try {
            caller.require(Verb.ADMIN, key);
        } catch (Rejected rejected) {
            out.onError(GrpcErrors.exception(failures, rejected));
            return;
        }
        String by = caller.principal().isEmpty() ? request.getBy() : caller.principal();
        Command.ForceRelease command =
                new Command.ForceRelease(key, request.getFencingToken(), by, request.getReason());
        answer(out, node.requests().submit(command), (answer, to) -> {
            if (answer.result() instanceof Result.Refused refused) {
                to.onError(GrpcErrors.exception(
                        failures, Refusals.rejected(refused, CommandCalls.asked(0, false, Caller.OF_THIS_PROCESS))));
                return;
            }
            reply(
                    to,
                    ForceReleaseResponse.newBuilder()
                            .setHeader(headers.of(answer.stamp()))
                            .setReleased(answer.result() instanceof Result.Released)
                            .build());
        });
    }

    @Override
    public void limitList(LimitListRequest request, StreamObserver<LimitListResponse> out) {
        answer(out, node.reads().read(false, MachineView::limits), (found, to) -> {
            LimitListResponse.Builder response =
                    LimitListResponse.newBuilder().setHeader(headers.of(found.stamp(), found.epoch()));
            for (Limit limit : Limit.values()) {
                response.addLimits(LimitInfo.newBuilder()
                        .setName(limit.name())
                        .setValue(found.value().get(limit))
                        .setInitial(limit.initial())
                        .setLowest(limit.lowest())
                        .setHighest(limit.highest()));
            }
            reply(to, response.build());
        });
    }

    @Override
    public void limitSet(LimitSetRequest request, StreamObserver<LimitListResponse> out) {
        Optional<Limit> limit = Arrays.stream(Limit.values())
                .filter(known -> known.name().equals(request.getName()))
                .findAny();
        if (limit.isEmpty()) {
            out.onError(GrpcErrors.exception(
                    failures,
                    Rejected.invalid(
                            "name",
                            "\"" + request.getName() + "\" is no limit; the limits are "
                                    + Arrays.asList(Limit.values()))));
            return;
        }
        Command.SetLimit command = new Command.SetLimit(limit.get(), request.getValue());
        answer(out, node.requests().submit(command), (answer, to) -> {
            if (answer.result() instanceof Result.Refused refused) {
                to.onError(GrpcErrors.exception(
                        failures, Refusals.rejected(refused, CommandCalls.asked(0, false, Caller.OF_THIS_PROCESS))));
            } else {
                limitList(LimitListRequest.getDefaultInstance(), to);
            }
        });
    }

    @Override
    public void featureLevelRaise(FeatureLevelRaiseRequest request, StreamObserver<FeatureLevelRaiseResponse> out) {
        int supported = node.neighbours().lowestFeatureLevel(NodeCore.FEATURE_LEVEL);
        if (request.getLevel() > supported) {
            out.onError(
                    GrpcErrors.exception(
                            failures,
                            Rejected.invalid(
                                    "level",
                                    supported,
                                    request.getLevel(),
                                    request.getLevel() + " is above " + supported
                                            + ", which is all that every member is known to support: upgrade and start them all")));
            return;
        }
        answer(out, node.requests().submit(new Command.RaiseFeatureLevel(request.getLevel())), (answer, to) -> {
            if (answer.result() instanceof Result.Refused refused) {
                to.onError(GrpcErrors.exception(
                        failures, Refusals.rejected(refused, CommandCalls.asked(0, false, Caller.OF_THIS_PROCESS))));
                return;
            }
            reply(
                    to,
                    FeatureLevelRaiseResponse.newBuilder()
                            .setHeader(headers.of(answer.stamp()))
                            .setLevel(request.getLevel())
                            .build());
        });
    }

    private static <T> void reply(StreamObserver<T> out, T response) {
        out.onNext(response);
        out.onCompleted();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are answered
    private <T, R> void answer(
            StreamObserver<R> out, CompletableFuture<T> future, BiConsumer<T, StreamObserver<R>> fill) {
        future.whenComplete((value, failure) -> {
            Throwable cause = failure != null && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof LogException || cause instanceof IllegalArgumentException) {
                out.onError(Errors.toException(
                        Errors.of(Code.INVALID_ARGUMENT, "member", String.valueOf(cause.getMessage()))));
            } else if (cause != null) {
                out.onError(GrpcErrors.exception(failures, cause));
            } else {
                fill.accept(value, out);
            }
        });
    }
}
