package dev.holdfast.server.grpc;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.Page;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.ExplainResponse;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.Header;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.HistoryResponse;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseListResponse;
import dev.holdfast.protocol.v1.LeaseTimeToLiveRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveResponse;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.PlanResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Questions;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.read.Reads.Found;
import dev.holdfast.server.read.Reads.Question;
import dev.holdfast.server.request.Rejected;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers the calls that change nothing. */
final class QuestionCalls {
    private final Questions questions;
    private final GrpcNode edge;
    private final CommandCalls calls;
    private final Bounds bounds;

    QuestionCalls(GrpcNode edge) {
        this.bounds = new Bounds(edge.core().replica());
        this.questions = new Questions(edge.core().reads(), bounds);
        this.edge = edge;
        this.calls = edge.calls();
    }

    CompletableFuture<Supplier<GetResponse>> lock(GetRequest request, Caller caller) {
        LockKey key = bounds.key("name", request.getName());
        return answer(questions.lock(key, request.getStale(), caller), found -> {
            GetResponse.Builder response = GetResponse.newBuilder().setHeader(header(found));
            found.value().map(Answers::lock).ifPresent(response::setLock);
            return response.build();
        });
    }

    CompletableFuture<Supplier<ListResponse>> locks(ListRequest request, Caller caller) {
        String prefix = bounds.text("prefix", request.getPrefix(), Limit.KEY_BYTES);
        Optional<LockKey> from =
                request.getFrom().isEmpty() ? Optional.empty() : Optional.of(bounds.key("from", request.getFrom()));
        return answer(questions.locks(prefix, from, page(request.getLimit()), request.getStale(), caller), found -> {
            ListResponse.Builder response = ListResponse.newBuilder().setHeader(header(found));
            found.value().entries().forEach(view -> response.addLocks(Answers.lock(view)));
            found.value().next().ifPresent(next -> response.setNext(next.toString()));
            return response.build();
        });
    }

    CompletableFuture<Supplier<HistoryResponse>> history(HistoryRequest request, Caller caller) {
        LockKey key = bounds.key("name", request.getName());
        long before = place("before", request.getBefore());
        return answer(questions.history(key, before, page(request.getLimit()), request.getStale(), caller), found -> {
            HistoryResponse.Builder response = HistoryResponse.newBuilder().setHeader(header(found));
            found.value().entries().forEach(event -> response.addEvents(ProtoMapper.event(event)));
            return response.setNext(found.value().next().orElse(0L)).build();
        });
    }

    CompletableFuture<Supplier<LeaseTimeToLiveResponse>> lease(LeaseTimeToLiveRequest request, Caller caller) {
        LeaseId id = RequestReader.lease("id", request.getId());
        return answer(
                questions.lease(id, request.getStale(), caller),
                found -> found.value()
                        .map(view -> Answers.lease(view, request.getKeys()))
                        .orElseGet(() -> Answers.noLease(request.getId()))
                        .setHeader(header(found))
                        .build());
    }

    CompletableFuture<Supplier<LeaseListResponse>> leases(LeaseListRequest request, Caller caller) {
        Optional<String> client =
                request.getClientId().isEmpty() ? Optional.empty() : Optional.of(request.getClientId());
        Optional<LeaseId> from =
                request.getFrom() == 0 ? Optional.empty() : Optional.of(new LeaseId(request.getFrom()));
        return answer(questions.leases(client, from, page(request.getLimit()), request.getStale(), caller), found -> {
            LeaseListResponse.Builder response = LeaseListResponse.newBuilder().setHeader(header(found));
            found.value().entries().forEach(view -> response.addLeases(Answers.lease(view, false)));
            found.value().next().ifPresent(next -> response.setNext(next.value()));
            return response.build();
        });
    }

    CompletableFuture<Supplier<ExplainResponse>> explain(ExplainRequest request, Caller caller) {
        LeaseId lease = RequestReader.lease("lease_id", request.getLeaseId());
        long from = place("from", request.getFrom());
        return answer(questions.explain(lease, request.getSeq(), from, request.getStale(), caller), found -> {
            Page<Explanation, Long> page = found.value()
                    .orElseThrow(() -> Refusals.rejected(
                            new Result.Refused(Refusal.LEASE_NOT_FOUND, "lease"),
                            CommandCalls.asked(request.getLeaseId(), false, caller)));
            ExplainResponse.Builder response = ExplainResponse.newBuilder().setHeader(header(found));
            page.entries().forEach(each -> response.addExplanations(Answers.explanation(each)));
            return response.setNext(page.next().orElse(0L))
                    .setIncomplete(!page.complete())
                    .build();
        });
    }

    CompletableFuture<Supplier<PlanResponse>> plan(LockRequest request, Caller caller) {
        Asked asked = calls.lock.names().apply(request, caller);
        Command.Acquire command = (Command.Acquire) calls.lock.read().read(request, caller, "");
        return answer(
                questions.plan(command, asked),
                found -> Answers.plan(found.value(), asked)
                        .setHeader(header(found))
                        .build());
    }

    /** The question is asked where its answer is written: on the event loop of the call. */
    private static <T, R> CompletableFuture<Supplier<R>> answer(Question<T> question, Function<Found<T>, R> answer) {
        return question.ready()
                .thenApply(ready -> () -> answer.apply(question.look().get()));
    }

    private Header header(Found<?> found) {
        return edge.header(found.stamp(), found.epoch());
    }

    private static long place(String field, long revision) {
        if (revision < 0) {
            throw Rejected.invalid(field, 0, revision, revision + " is below 0");
        }
        return revision;
    }

    private static int page(int limit) {
        if (limit < 0) {
            throw Rejected.invalid("limit", 0, limit, limit + " is below 0");
        }
        return limit == 0 ? Questions.DEFAULT_PAGE : Math.min(limit, Questions.MAX_PER_PAGE);
    }
}
