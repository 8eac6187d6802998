package dev.holdfast.server;

import dev.holdfast.consensus.Member;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.server.cluster.DataDirectory;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.node.NodePorts;
import dev.holdfast.server.node.Peers;
import dev.holdfast.server.settings.ElectionSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node inside the process that uses it: alone, its log on its own disk, reached over gRPC's in-process transport.
 *
 * <p>It opens no port. What it acknowledged survives a crash and is there at the next start; it is not replicated, so
 * while its process is down nobody can hold or take its locks. One process at a time uses its directory.
 */
public final class EmbeddedNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedNode.class);
    private static final String NODE_NAME = "embedded";

    private final BiConsumer<String, @Nullable Throwable> failure;
    private final DataDirectory directory;
    private final InProcessPort port = new InProcessPort();
    private final NodeCore core;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Starts a node on a directory, which it creates if necessary; its failure is logged as an error. */
    public static EmbeddedNode start(Path directory) throws IOException {
        return start(directory, (message, cause) -> {});
    }

    /**
     * Starts a node on a directory, which it makes if necessary.
     *
     * @param failure called once, on its own thread, if the node cannot continue, usually because its disk failed:
     *     every call is answered {@code UNAVAILABLE} from then on; close the node, and start another to find out what
     *     the disk has
     */
    public static EmbeddedNode start(Path directory, BiConsumer<String, @Nullable Throwable> failure)
            throws IOException {
        DataDirectory opened = DataDirectory.open(directory, NODE_NAME);
        try {
            if (opened.seed().isPresent()) {
                throw new IOException(directory + " was restored from a backup: only a server can start from it");
            }
            Member self = new Member(opened.id(), "", "", Member.Part.VOTER);
            EmbeddedNode node = new EmbeddedNode(self, clusterOf(opened, self), opened, failure);
            node.start();
            return node;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private EmbeddedNode(
            Member self, UUID cluster, DataDirectory directory, BiConsumer<String, @Nullable Throwable> failure)
            throws IOException {
        this.directory = directory;
        this.failure = failure;
        this.core = new NodeCore(NodePorts.inProduction(
                self,
                cluster,
                replica -> SingleNodeLog.open(directory, self, replica),
                Peers.NONE,
                this::failed,
                ElectionSettings.DEFAULT));
    }

    /** It is a cluster of its own, so that its clients notice when they are given another directory. */
    private static UUID clusterOf(DataDirectory directory, Member self) throws IOException {
        if (directory.cluster().isPresent()) {
            if (!SingleNodeLog.isIn(directory)) {
                throw new IOException("the log in " + directory.log() + " belongs to a cluster: start it as a server");
            }
            return directory.cluster().get();
        }
        UUID cluster = UUID.randomUUID();
        // First, for a cluster without a log of this kind is one with a replicated log.
        SingleNodeLog.decideFor(directory);
        directory.enter(cluster, List.of(self));
        return cluster;
    }

    private void start() throws IOException {
        try {
            core.start();
            port.serve(core);
            LOG.info(
                    "{} serves this process ({})",
                    core.self().id(),
                    core.log().status().description());
        } catch (IOException | RuntimeException e) {
            stop();
            throw e;
        }
    }

    /** The name for an {@code InProcessChannelBuilder}. */
    public String name() {
        return port.name();
    }

    void failed(String message, @Nullable Throwable cause) {
        if (closed.get() || !failed.compareAndSet(false, true)) {
            return;
        }
        LOG.error("the embedded node cannot continue: {}", message, cause);
        port.fail(Errors.of(Code.UNAVAILABLE, "node", "the node has failed: " + message));
        // The thread that tells is one that closing the node waits for.
        new Thread(() -> failure.accept(message, cause), "holdfast-embedded-failure").start();
    }

    /**
     * Finishes pending calls, then stops. Nothing that was acknowledged is lost; leases stay in the directory. Must not
     * be called on a thread of the node, where a channel with a direct executor runs its callbacks.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        port.drain();
        if (!failed.get()) {
            core.drain();
        }
        stop();
        try {
            directory.close();
        } catch (IOException e) {
            LOG.warn("cannot release the lock on the data directory", e);
        }
    }

    /** The port last: what the log still answers has to get out. */
    private void stop() {
        core.close();
        port.close();
    }
}
