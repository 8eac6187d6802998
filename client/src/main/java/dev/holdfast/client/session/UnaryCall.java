package dev.holdfast.client.session;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Error;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call outside the stream that changes nothing: asked of one node after the other until one answers.
 *
 * <p>Confined to the session's executor, but for the reply.
 */
final class UnaryCall<Q, A> {
    private final Session session;
    private final MethodDescriptor<Q, A> method;
    private final Q question;
    private final Backoff backoff;
    private final long begunNanos;
    private final CompletableFuture<A> reply = new CompletableFuture<>();
    private String endpoint = "";
    private Optional<String> hint = Optional.empty();
    private Optional<String> said = Optional.empty();

    UnaryCall(Session session, MethodDescriptor<Q, A> method, Q question) {
        this.session = session;
        this.method = method;
        this.question = question;
        this.backoff = session.backoff();
        this.begunNanos = session.now();
    }

    CompletableFuture<A> reply() {
        return reply;
    }

    /** Asks the node that the stream goes to. */
    void begin() {
        ask(session.currentEndpoint());
    }

    private void ask(String node) {
        if (reply.isDone()) {
            return;
        }
        HoldfastException refusal = session.refusal();
        long left = session.settings().patienceNanos() - (session.now() - begunNanos);
        if (refusal != null || left <= 0) {
            reply.completeExceptionally(refusal != null ? refusal : new UnavailableException(problem()));
            return;
        }
        endpoint = node;
        // A node says within this time that it cannot answer; one that says nothing must not use up all patience.
        Duration timeout = Duration.ofNanos(Math.min(left, session.settings().silenceNanos()));
        Replies.then(
                session.network().call(node, method, question, timeout),
                (answer, failure) -> session.execute(() -> answered(answer, failure)));
    }

    private void answered(A answer, @Nullable Throwable failure) {
        if (failure == null) {
            reply.complete(answer);
            return;
        }
        Optional<Error> error = Errors.refusalOf(failure);
        if (error.isPresent() && !ErrorMapper.isTemporary(error.get())) {
            reply.completeExceptionally(ErrorMapper.exception(error.get()));
            return;
        }
        error.ifPresent(told -> {
            said = Optional.of(endpoint + ": " + told.getCode() + ": " + told.getMessage());
            hint = told.getLeader().isEmpty() ? Optional.empty() : Optional.of(told.getLeader());
        });
        String next = hint.filter(leader -> !leader.equals(endpoint)).orElseGet(this::nextEndpoint);
        hint = Optional.empty();
        session.later(backoff.next(), () -> ask(next));
    }

    private String nextEndpoint() {
        List<String> all = session.endpoints();
        return all.get((all.indexOf(endpoint) + 1) % all.size());
    }

    /** What a node said is more to the point than that others did not. */
    private String problem() {
        return said.orElseGet(() -> {
            List<String> all = session.endpoints();
            return "none of " + all.size() + " known nodes answered (" + String.join(", ", all)
                    + "); check the addresses and that the nodes run";
        });
    }

    void fail(HoldfastException failure) {
        reply.completeExceptionally(failure);
    }
}
