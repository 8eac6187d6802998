package dev.holdfast.client.session;

import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.UnavailableException;
import dev.holdfast.client.network.Network;
import dev.holdfast.protocol.Errors;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;

/** A question outside the stream: asked of one node after the other, until one answers. */
final class Inquiry<Q, A> {
    private final Network network;
    private final MethodDescriptor<Q, A> method;
    private final Q question;

    Inquiry(Network network, MethodDescriptor<Q, A> method, Q question) {
        this.network = network;
        this.method = method;
        this.question = question;
    }

    /**
     * Waits for an answer, whatever happens to the thread.
     *
     * @param timeout for each node
     * @throws UnavailableException if none has one
     */
    A await(List<String> endpoints, Duration timeout) {
        HoldfastException last = new UnavailableException("no node is known");
        for (String endpoint : endpoints) {
            try {
                return Waiting.uninterruptibly(network.call(endpoint, method, question, timeout));
            } catch (StatusRuntimeException e) {
                last = failure(endpoint, e);
                if (!(last instanceof UnavailableException)) {
                    throw last;
                }
            }
        }
        throw last;
    }

    private static HoldfastException failure(String endpoint, StatusRuntimeException e) {
        return Errors.of(e)
                .map(Refusal::exception)
                .orElseGet(() -> new UnavailableException(endpoint + ": " + e.getMessage()));
    }
}
