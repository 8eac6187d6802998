package dev.holdfast.embedded;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastClientBuilder;
import dev.holdfast.server.EmbeddedNode;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A node inside this process, without a port: for locks of one process, or to start without a cluster.
 *
 * <p>It is not replicated: what it acknowledged is only on this machine's disk. The same client works with a cluster
 * later.
 *
 * <pre>{@code
 * try (Holdfast holdfast = Holdfast.embedded(directory);
 *         HoldfastClient client = holdfast.client()) {
 *     ...
 * }
 * }</pre>
 */
public final class Holdfast implements AutoCloseable {
    private static final String ENDPOINT = "embedded:1";

    private final EmbeddedNode node;

    private Holdfast(EmbeddedNode node) {
        this.node = node;
    }

    /**
     * Starts a node on a directory, which is created if it does not exist; only one process at a time can use it.
     *
     * @throws IOException if the directory cannot be used; the message says why
     */
    public static Holdfast embedded(Path directory) throws IOException {
        return new Holdfast(EmbeddedNode.start(directory));
    }

    /** Returns a client of this node. */
    public HoldfastClient client() {
        return clientBuilder().build();
    }

    /** Returns a builder for a client of this node. */
    public HoldfastClientBuilder clientBuilder() {
        return HoldfastClient.builder(ENDPOINT).channels(endpoint -> channel());
    }

    /** Returns a channel to all of the node's services. */
    public ManagedChannel channel() {
        return InProcessChannelBuilder.forName(node.name()).directExecutor().build();
    }

    /**
     * Stops the node. Close its clients first: otherwise what they hold stays in the directory until its lease ends.
     */
    @Override
    public void close() {
        node.close();
    }
}
