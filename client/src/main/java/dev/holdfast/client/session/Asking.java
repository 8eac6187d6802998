package dev.holdfast.client.session;

import dev.holdfast.client.HoldfastException;
import io.grpc.MethodDescriptor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The questions of a session that have no answer yet. Confined to the session's turns, but for what is public. */
public final class Asking {
    private final Session session;
    private final Set<Question<?, ?>> open = new LinkedHashSet<>();

    Asking(Session session) {
        this.session = session;
    }

    /** Asks the cluster something and waits for the answer, over nodes that fail. */
    public <Q, A> A ask(MethodDescriptor<Q, A> method, Q question) throws InterruptedException {
        return Waiting.interruptibly(asked(method, question));
    }

    /** As {@link #ask}, whatever happens to the thread. */
    public <Q, A> A askUninterruptibly(MethodDescriptor<Q, A> method, Q question) {
        return Waiting.uninterruptibly(asked(method, question));
    }

    /** As {@link #ask}, without a thread that waits. */
    public <Q, A> CompletableFuture<A> asked(MethodDescriptor<Q, A> method, Q question) {
        Question<Q, A> asked = new Question<>(session, method, question);
        session.turn(() -> {
            open.add(asked);
            Replies.then(asked.reply(), (answer, failure) -> session.turn(() -> open.remove(asked)));
            asked.begin();
        });
        return asked.reply();
    }

    /** The leases under which this client waits for something. */
    public List<Long> waitingLeases() throws InterruptedException {
        CompletableFuture<List<Long>> reply = new CompletableFuture<>();
        session.turn(() -> reply.complete(session.waitingLeases()));
        return Waiting.interruptibly(reply);
    }

    /** Nobody will answer any more. */
    void fail(HoldfastException failure) {
        List.copyOf(open).forEach(question -> question.fail(failure));
    }
}
