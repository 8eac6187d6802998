package dev.holdfast.embedded;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastClientBuilder;
import dev.holdfast.server.EmbeddedNode;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A node inside this process, with no port: locks for one process, or for a start without a cluster.
 *
 * <p>What it acknowledged is on this machine's disk and nowhere else: it is not replicated. The same client reaches a
 * cluster later.
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
     * Starts a node on a directory, which it makes if need be; one process at a time uses it.
     *
     * @throws IOException if the directory cannot be used; the message says why
     */
    public static Holdfast embedded(Path directory) throws IOException {
        return new Holdfast(EmbeddedNode.start(directory));
    }

    /** A client of this node. */
    public HoldfastClient client() {
        return clientBuilder().build();
    }

    /** A client of this node, to be set up. */
    public HoldfastClientBuilder clientBuilder() {
        return HoldfastClient.builder(ENDPOINT).channels(endpoint -> channel());
    }

    /** A way to all of the node's services. */
    public ManagedChannel channel() {
        return InProcessChannelBuilder.forName(node.name()).directExecutor().build();
    }

    /** Stops the node. Close its clients first: what they hold lives on in the directory until its lease ends. */
    @Override
    public void close() {
        node.close();
    }
}
