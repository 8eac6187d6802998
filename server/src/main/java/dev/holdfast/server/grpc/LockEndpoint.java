package dev.holdfast.server.grpc;

import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DescribeResponse;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.ExplainResponse;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.HistoryResponse;
import dev.holdfast.protocol.v1.LeaseExtendRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LeaseKeepAliveRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveResponse;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseListResponse;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LeaseRevokeResponse;
import dev.holdfast.protocol.v1.LeaseTimeToLiveRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveResponse;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.protocol.v1.PlanResponse;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.protocol.v1.UpgradeRequest;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Locking;
import dev.holdfast.server.operation.Refusals.Asked;
import dev.holdfast.server.request.Answer;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** The lock service as clients call it: reads the request, has it carried out, writes the answer. Never blocks. */
final class LockEndpoint extends LockServiceGrpc.LockServiceImplBase {
    private final EdgeParts edge;
    private final CallScopes scopes;
    private final Commands commands;
    private final Headers headers;
    private final Questions questions;
    private final UnaryCalls calls;
    private final AtomicInteger watchStreams = new AtomicInteger();

    LockEndpoint(EdgeParts edge, CallScopes scopes) {
        this.edge = edge;
        this.scopes = scopes;
        this.commands = edge.commands();
        this.headers = edge.headers();
        this.questions = new Questions(edge);
        this.calls = new UnaryCalls(edge.failures(), scopes);
    }

    int watchStreams() {
        return watchStreams.get();
    }

    @Override
    public void lock(LockRequest request, StreamObserver<LockResponse> out) {
        boolean set = request.getItemsCount() > 0;
        String key = set ? request.getItems(0).getKey() : request.getName();
        calls.answer(
                out,
                call -> wait(
                        call,
                        edge.locking().acquire(commands.acquire(request, call.caller())),
                        key,
                        Asked.ofLock(request.getLeaseId(), set, call.caller())));
    }

    @Override
    public void upgrade(UpgradeRequest request, StreamObserver<LockResponse> out) {
        calls.answer(
                out,
                call -> wait(
                        call,
                        edge.locking().upgrade(commands.upgrade(request, call.caller())),
                        request.getName(),
                        Asked.ofLock(request.getLeaseId(), false, call.caller())));
    }

    private CompletableFuture<Supplier<LockResponse>> wait(
            UnaryCalls.Call call, Locking.Pending pending, String key, Asked asked) {
        call.whenLeft(pending.abandon());
        return pending.answer()
                .thenApply(answer -> () -> Answers.lock(answer.result(), key, asked)
                        .setHeader(headers.of(answer.stamp()))
                        .build());
    }

    @Override
    public void tryLock(TryLockRequest request, StreamObserver<TryLockResponse> out) {
        boolean set = request.getItemsCount() > 0;
        String key = set ? request.getItems(0).getKey() : request.getName();
        calls.answer(out, call -> {
            Asked asked = Asked.ofLock(request.getLeaseId(), set, call.caller());
            Command.Acquire command = commands.acquire(request, call.caller());
            Optional<Result.Refused> denial =
                    request.getAllowStaleDenial() ? edge.locking().staleDenial(command) : Optional.empty();
            if (denial.isPresent()) {
                return CompletableFuture.completedFuture(() -> tried(denial.get(), key, asked)
                        .setStaleDenial(true)
                        .setHeader(headers.present())
                        .build());
            }
            Locking.Pending pending = edge.locking().acquire(command);
            call.whenLeft(pending.abandon());
            return pending.answer()
                    .thenApply(answer -> () -> tried(answer.result(), key, asked)
                            .setHeader(headers.of(answer.stamp()))
                            .build());
        });
    }

    private static TryLockResponse.Builder tried(Result result, String key, Asked asked) {
        return Answers.tryLock(Answers.lock(result, key, asked).build());
    }

    @Override
    public void unlock(UnlockRequest request, StreamObserver<UnlockResponse> out) {
        calls.answer(
                out,
                call -> submit(
                        commands.release(request, call.caller()),
                        answer -> Answers.unlock(answer.result(), ofLock(request.getLeaseId(), call))
                                .setHeader(headers.of(answer.stamp()))
                                .build()));
    }

    @Override
    public void downgrade(DowngradeRequest request, StreamObserver<LockResponse> out) {
        calls.answer(
                out,
                call -> submit(
                        commands.downgrade(request, call.caller()),
                        answer -> Answers.lock(answer.result(), request.getName(), ofLock(request.getLeaseId(), call))
                                .setHeader(headers.of(answer.stamp()))
                                .build()));
    }

    @Override
    public void describe(DescribeRequest request, StreamObserver<DescribeResponse> out) {
        calls.answer(
                out,
                call -> submit(
                        commands.describe(request, call.caller()),
                        answer -> Answers.described(answer.result(), ofLock(request.getLeaseId(), call))
                                .setHeader(headers.of(answer.stamp()))
                                .build()));
    }

    @Override
    public void cancel(CancelRequest request, StreamObserver<CancelResponse> out) {
        calls.answer(
                out,
                call -> submit(
                        commands.cancel(request, call.caller()),
                        answer -> Answers.cancel(answer.result(), ofLock(request.getLeaseId(), call))
                                .setHeader(headers.of(answer.stamp()))
                                .build()));
    }

    @Override
    public void leaseGrant(LeaseGrantRequest request, StreamObserver<LeaseGrantResponse> out) {
        calls.answer(out, call -> {
            Caller caller = call.caller();
            Command.GrantLease command = commands.grantLease(request, caller, caller.host());
            return submit(
                    command,
                    answer -> Answers.leaseGranted(answer.result(), command.lease(), ofLease(request.getId(), call))
                            .setHeader(headers.of(answer.stamp()))
                            .build());
        });
    }

    @Override
    public void leaseRevoke(LeaseRevokeRequest request, StreamObserver<LeaseRevokeResponse> out) {
        calls.answer(
                out,
                call -> submit(
                        commands.revokeLease(request, call.caller()),
                        answer -> Answers.leaseRevoked(answer.result(), ofLease(request.getId(), call))
                                .setHeader(headers.of(answer.stamp()))
                                .build()));
    }

    @Override
    public void leaseExtend(LeaseExtendRequest request, StreamObserver<LeaseGrantResponse> out) {
        calls.answer(out, call -> {
            Command.ExtendLease command = commands.extendLease(request, call.caller());
            return submit(
                    command,
                    answer -> Answers.leaseGranted(answer.result(), command.lease(), ofLease(request.getId(), call))
                            .setHeader(headers.of(answer.stamp()))
                            .build());
        });
    }

    private static Asked ofLock(long lease, UnaryCalls.Call call) {
        return Asked.ofLock(lease, false, call.caller());
    }

    private static Asked ofLease(long lease, UnaryCalls.Call call) {
        return Asked.ofLease(lease, call.caller());
    }

    private <R> CompletableFuture<Supplier<R>> submit(Command command, Function<Answer, R> message) {
        return edge.node().requests().submit(command).thenApply(answer -> () -> message.apply(answer));
    }

    @Override
    public void leaseTimeToLive(LeaseTimeToLiveRequest request, StreamObserver<LeaseTimeToLiveResponse> out) {
        calls.answer(out, call -> questions.lease(request, call.caller()));
    }

    @Override
    public void leaseList(LeaseListRequest request, StreamObserver<LeaseListResponse> out) {
        calls.answer(out, call -> questions.leases(request, call.caller()));
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> out) {
        calls.answer(out, call -> questions.lock(request, call.caller()));
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> out) {
        calls.answer(out, call -> questions.locks(request, call.caller()));
    }

    @Override
    public void explain(ExplainRequest request, StreamObserver<ExplainResponse> out) {
        calls.answer(out, call -> questions.explain(request, call.caller()));
    }

    @Override
    public void plan(LockRequest request, StreamObserver<PlanResponse> out) {
        calls.answer(out, call -> questions.plan(request, call.caller()));
    }

    @Override
    public void history(HistoryRequest request, StreamObserver<HistoryResponse> out) {
        calls.answer(out, call -> questions.history(request, call.caller()));
    }

    @Override
    public StreamObserver<LeaseKeepAliveRequest> leaseKeepAlive(StreamObserver<LeaseKeepAliveResponse> call) {
        CallScope scope = scopes.endless();
        return new KeepAliveStream(
                edge.node(), headers, edge.failures(), scope.caller(), scope.loop(), (ServerCallStreamObserver<
                                LeaseKeepAliveResponse>)
                        call);
    }

    @Override
    public StreamObserver<WatchRequest> watch(StreamObserver<WatchResponse> call) {
        CallScope scope = scopes.endless();
        watchStreams.incrementAndGet();
        return new WatchStream(
                edge,
                scope.caller(),
                scope.loop(),
                (ServerCallStreamObserver<WatchResponse>) call,
                watchStreams::decrementAndGet);
    }

    @Override
    public StreamObserver<ClientFrame> session(StreamObserver<ServerFrame> call) {
        CallScope scope = scopes.endless();
        return new SessionStream(edge, scope.caller(), scope.loop(), (ServerCallStreamObserver<ServerFrame>) call);
    }
}
