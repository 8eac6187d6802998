package dev.holdfast.client.network;

import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ServerFrame;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The nodes of a cluster, as they can be reached from here. */
public interface Network extends AutoCloseable {
    /** Opens a session stream. Trouble on the way, even the first, is told to the receiver. */
    Line open(String endpoint, Receiver receiver);

    /**
     * Runs a task that sends something, once the thread that writes gets to it: what is brought until then can go in
     * the same frame. A network without such a thread runs it now.
     */
    default void beforeWriting(Runnable task) {
        task.run();
    }

    /** Makes one call outside the session stream. */
    <Q, A> CompletableFuture<A> call(String endpoint, MethodDescriptor<Q, A> method, Q question, Duration timeout);

    @Override
    void close();

    /** An open stream to one node. Used by one thread at a time. */
    interface Line {
        void send(ClientFrame frame);

        /** Ends it from this side; nothing is told to the receiver afterwards. */
        void close();
    }

    /** Told of what comes in, by threads of the network: it must not wait for anything. */
    interface Receiver {
        void received(ServerFrame frame);

        /** The stream has ended; nothing more will come. */
        void ended(Throwable cause);
    }
}
