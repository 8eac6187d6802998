package dev.holdfast.server.grpc;

import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.Header;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Operation;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * A command as gRPC carries it, in a call of its own or as a message of a session.
 *
 * @param <Q> the request's message
 * @param <B> builds the answer's message
 * @param <R> the answer's message
 * @param read makes the command
 * @param names says what the request calls things
 * @param write the machine's result as an answer; throws what it refused
 * @param finish completes the answer to a call
 * @param put makes the answer the body of a session's message
 */
record CommandCall<Q, B, R>(
        Operation operation,
        Reader<Q> read,
        BiFunction<Q, Caller, Asked> names,
        Writer<B> write,
        BiFunction<B, Header, R> finish,
        BiConsumer<ServerMessage.Builder, B> put) {

    /** Reads a request. */
    interface Reader<Q> {
        /**
         * Makes the command of a request.
         *
         * @param clientId what the client is called if the request does not say
         */
        Command.OfLease read(Q request, Caller caller, String clientId);
    }

    /** Writes an answer. */
    interface Writer<B> {
        B write(Result result, Command.OfLease command, Asked asked);
    }
}
