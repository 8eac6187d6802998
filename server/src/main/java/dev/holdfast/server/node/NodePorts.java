package dev.holdfast.server.node;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.server.propose.BatchSettings;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.propose.Proposing;
import dev.holdfast.server.propose.ProposingThread;
import dev.holdfast.server.settings.ElectionSettings;
import dev.holdfast.server.watch.WatchBounds;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node stands on: everything that differs between a server, an embedded node, a simulated one and a test's.
 *
 * @param log makes the log that drives the node's replica
 * @param clock where time comes from
 * @param threads starts a thread of that name, which does one thing after the other
 * @param proposing what calls the batcher; not started yet
 * @param proposer a number no other process proposes under
 * @param secret a number that nobody outside the process knows: the hash of what clients choose
 * @param roles told of every change of role, before the node goes by it
 * @param failure told when the node cannot go on
 * @param watches what watches may cost
 * @param stall how long nothing may be applied while work waits before the node says that it is not ready
 */
public record NodePorts(
        Member self,
        UUID cluster,
        LogFactory log,
        Batcher.Ticks clock,
        Function<String, ScheduledExecutorService> threads,
        Proposing proposing,
        long proposer,
        long secret,
        Peers peers,
        Consumer<Role> roles,
        BiConsumer<String, @Nullable Throwable> failure,
        BatchSettings batches,
        WatchBounds watches,
        Duration stall) {
    private static final Logger LOG = LoggerFactory.getLogger(NodePorts.class);

    /** Makes a log for a replica to be driven by. It does nothing before it is started. */
    @FunctionalInterface
    public interface LogFactory {
        ReplicatedLog make(Replica replica) throws IOException;
    }

    /** The ports of a node with threads of its own and the clock of its machine. */
    public static NodePorts inProduction(
            Member self,
            UUID cluster,
            LogFactory log,
            Peers peers,
            BiConsumer<String, @Nullable Throwable> failure,
            ElectionSettings election) {
        return new NodePorts(
                self,
                cluster,
                log,
                Batcher.Ticks.SYSTEM,
                name -> new NodeThread(name, failure),
                new ProposingThread(failure),
                new SecureRandom().nextLong(),
                new SecureRandom().nextLong(),
                peers,
                role -> LOG.info("role: {}", role),
                failure,
                BatchSettings.DEFAULT,
                WatchBounds.forProcessors(Runtime.getRuntime().availableProcessors()),
                // By then another would lead, were this one dead.
                election.longest().multipliedBy(2));
    }

    /** The same with other bounds. */
    public NodePorts with(BatchSettings otherBatches, WatchBounds otherWatches) {
        return new NodePorts(
                self,
                cluster,
                log,
                clock,
                threads,
                proposing,
                proposer,
                secret,
                peers,
                roles,
                failure,
                otherBatches,
                otherWatches,
                stall);
    }
}
