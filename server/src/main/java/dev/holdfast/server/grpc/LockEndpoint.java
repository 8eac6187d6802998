package dev.holdfast.server.grpc;

import dev.holdfast.core.command.Command;
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
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Commands;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The lock service as clients call it: reads the request, has it carried out, writes the answer. Never blocks. */
final class LockEndpoint extends LockServiceGrpc.LockServiceImplBase {
    private final GrpcNode edge;
    private final CallScopes scopes;
    private final CommandCalls commands;
    private final QuestionCalls questions;
    private final UnaryCalls calls;
    private final AtomicInteger watchStreams = new AtomicInteger();

    LockEndpoint(GrpcNode edge, CallScopes scopes) {
        this.edge = edge;
        this.scopes = scopes;
        this.commands = edge.calls();
        this.questions = new QuestionCalls(edge);
        this.calls = new UnaryCalls(edge.failures(), scopes, edge.core().metrics());
    }

    int watchStreams() {
        return watchStreams.get();
    }

    /** Answers once the request is decided, however long it has to wait. */
    private <Q, B, R> void run(CommandCall<Q, B, R> command, Q request, StreamObserver<R> out) {
        calls.answer(out, call -> start(command, request, call));
    }

    private <Q, B, R> CompletableFuture<Supplier<R>> start(
            CommandCall<Q, B, R> command, Q request, UnaryCalls.Call call) {
        Caller caller = call.caller();
        Asked asked = command.names().apply(request, caller);
        Command.OfLease read = command.read().read(request, caller, caller.host());
        Commands.Pending pending = edge.commands().decide(read, asked);
        call.whenLeft(pending.abandon());
        return pending.answer()
                .thenApply(answer -> () -> command.finish()
                        .apply(command.write().write(answer.result(), read, asked), edge.header(answer.stamp())));
    }

    @Override
    public void lock(LockRequest request, StreamObserver<LockResponse> out) {
        run(commands.lock, request, out);
    }

    @Override
    public void upgrade(UpgradeRequest request, StreamObserver<LockResponse> out) {
        run(commands.upgrade, request, out);
    }

    @Override
    public void tryLock(TryLockRequest request, StreamObserver<TryLockResponse> out) {
        calls.answer(out, call -> {
            Optional<TryLockResponse> denial =
                    request.getAllowStaleDenial() ? staleDenial(request, call.caller()) : Optional.empty();
            return denial.isPresent()
                    ? CompletableFuture.completedFuture(denial::get)
                    : start(commands.tryLock, request, call);
        });
    }

    private Optional<TryLockResponse> staleDenial(TryLockRequest request, Caller caller) {
        Asked asked = commands.tryLock.names().apply(request, caller);
        Command.OfLease command = commands.tryLock.read().read(request, caller, "");
        return edge.commands()
                .staleDenial((Command.Acquire) command, asked)
                .map(refused -> commands.tryLock
                        .write()
                        .write(refused, command, asked)
                        .setStaleDenial(true)
                        .setHeader(edge.header())
                        .build());
    }

    @Override
    public void unlock(UnlockRequest request, StreamObserver<UnlockResponse> out) {
        run(commands.unlock, request, out);
    }

    @Override
    public void downgrade(DowngradeRequest request, StreamObserver<LockResponse> out) {
        run(commands.downgrade, request, out);
    }

    @Override
    public void describe(DescribeRequest request, StreamObserver<DescribeResponse> out) {
        run(commands.describe, request, out);
    }

    @Override
    public void cancel(CancelRequest request, StreamObserver<CancelResponse> out) {
        run(commands.cancel, request, out);
    }

    @Override
    public void leaseGrant(LeaseGrantRequest request, StreamObserver<LeaseGrantResponse> out) {
        run(commands.leaseGrant, request, out);
    }

    @Override
    public void leaseRevoke(LeaseRevokeRequest request, StreamObserver<LeaseRevokeResponse> out) {
        run(commands.leaseRevoke, request, out);
    }

    @Override
    public void leaseExtend(LeaseExtendRequest request, StreamObserver<LeaseGrantResponse> out) {
        run(commands.leaseExtend, request, out);
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
        CallScopes.Scope scope = scopes.endless();
        return new KeepAliveStream(
                edge, scope.caller(), scope.loop(), (ServerCallStreamObserver<LeaseKeepAliveResponse>) call);
    }

    @Override
    public StreamObserver<WatchRequest> watch(StreamObserver<WatchResponse> call) {
        CallScopes.Scope scope = scopes.endless();
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
        CallScopes.Scope scope = scopes.endless();
        return new SessionStream(edge, scope.caller(), scope.loop(), (ServerCallStreamObserver<ServerFrame>) call);
    }
}
