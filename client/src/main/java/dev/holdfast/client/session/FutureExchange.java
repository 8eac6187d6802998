package dev.holdfast.client.session;

import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** An exchange that gives one answer to one caller. */
public final class FutureExchange<T> implements Exchange {
    private final CompletableFuture<T> reply = new CompletableFuture<>();
    private final Consumer<ClientMessage.Builder> writer;
    private final Function<ServerMessage, T> reader;
    private final Function<Error, T> refusal;
    private final long begunNanos;
    private final boolean patient;

    /**
     * An exchange.
     *
     * @param refusal what a refusal means: an answer, or an exception that it throws
     * @param patient whether it is tried until it is answered, however long that takes
     */
    public FutureExchange(
            long begunNanos,
            boolean patient,
            Consumer<ClientMessage.Builder> writer,
            Function<ServerMessage, T> reader,
            Function<Error, T> refusal) {
        this.begunNanos = begunNanos;
        this.patient = patient;
        this.writer = writer;
        this.reader = reader;
        this.refusal = refusal;
    }

    public CompletableFuture<T> reply() {
        return reply;
    }

    @Override
    public void write(ClientMessage.Builder message) {
        writer.accept(message);
    }

    @Override
    public void answered(ServerMessage answer, long sentNanos) {
        reply.complete(reader.apply(answer));
    }

    @Override
    public void refused(Error error) {
        try {
            reply.complete(refusal.apply(error));
        } catch (RuntimeException e) {
            reply.completeExceptionally(e);
        }
    }

    @Override
    public boolean isWanted() {
        return !reply.isDone();
    }

    @Override
    public void giveUpIfOverdue(long nowNanos, long patienceNanos, String problem) {
        if (!patient && nowNanos - begunNanos > patienceNanos) {
            reply.completeExceptionally(new UnavailableException(problem));
        }
    }
}
