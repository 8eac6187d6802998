package dev.holdfast.simulator.node;

import dev.holdfast.consensus.Replica;
import dev.holdfast.core.Limit;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import dev.holdfast.simulator.log.Disk;
import dev.holdfast.simulator.log.LogFaults;
import dev.holdfast.simulator.log.LogPeers;
import dev.holdfast.simulator.log.SimulatedLog;
import dev.holdfast.simulator.network.Host;
import dev.holdfast.simulator.network.Wire;
import dev.holdfast.simulator.network.WireChannel;
import dev.holdfast.simulator.world.SimulatedProcess;
import dev.holdfast.simulator.world.World;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Some nodes that form a cluster, each of which can die and start again from its disk. */
public final class SimulatedCluster implements LogPeers {
    /** Clocks' rates differ by less than one in a hundred, however two of them meet. */
    private static final int MAX_RATE_MILLIONTHS = 4_000;

    private final World world;
    private final Wire wire;
    private final LogFaults faults;
    private final Observer observer;
    private final RandomGenerator chance;
    private final List<String> names;
    private final Map<String, Disk> disks = new TreeMap<>();
    private final Map<String, SimulatedNode> nodes = new TreeMap<>();
    private long id;
    private long epoch;

    /** Told of what nodes apply. */
    @FunctionalInterface
    public interface Observer {
        void applied(SimulatedNode node, AppliedEntry entry);

        /**
         * A node's log takes an entry for committed, and applies it if there is something in it.
         *
         * @param entry the same object on all nodes
         */
        default void committed(String node, long index, Object entry) {}
    }

    /** A cluster that has not started. */
    public SimulatedCluster(World world, Wire wire, int size, LogFaults faults, Observer observer) {
        this.world = world;
        this.wire = wire;
        this.faults = faults;
        this.observer = observer;
        this.chance = world.chance();
        this.id = chance.nextLong(1, Long.MAX_VALUE);
        this.names = IntStream.rangeClosed(1, size).mapToObj(i -> "n" + i).toList();
    }

    /** Starts all nodes with empty disks. */
    public void start() {
        for (String name : names) {
            start(name);
        }
    }

    /** Starts a node that does not run, from its disk. */
    public void start(String name) {
        SimulatedProcess process =
                new SimulatedProcess(world, name, chance.nextInt(-MAX_RATE_MILLIONTHS, MAX_RATE_MILLIONTHS + 1));
        SimulatedNode[] started = new SimulatedNode[1];
        started[0] = new SimulatedNode(
                process,
                disks.computeIfAbsent(name, unused -> new Disk(world, faults.disk())),
                this,
                faults,
                id,
                chance.nextLong(),
                entry -> observer.applied(started[0], entry),
                this::channel);
        nodes.put(name, started[0]);
        started[0].start();
    }

    /** The disk of a node that has been started before. */
    public Disk disk(String name) {
        Disk disk = disks.get(name);
        if (disk == null) {
            throw new IllegalArgumentException("no node is called " + name);
        }
        return disk;
    }

    /** Kills a node together with its machine. */
    public void losePower(String name) {
        node(name).kill();
        disk(name).losePower();
    }

    /** Everything that a node knows, as a backup. */
    public byte[] backup(String name) {
        try (Replica.Cut cut = node(name).replica().cut()) {
            return bytes(cut::next);
        }
    }

    /**
     * Ends this cluster, and begins a new one from a backup under the same addresses.
     *
     * @param highestTokenSeen what the operator finds in the guarded stores: the backup may be older than the last
     *     restore, and know nothing of the tokens that were handed out since
     * @param longestTtl what the operator knows of the clients: the backup may be older than the longest lease
     * @return the ends of what was in the backup
     */
    public List<Event> restore(byte[] backup, long highestTokenSeen, Duration longestTtl) {
        nodes.values().forEach(SimulatedNode::kill);
        id = chance.nextLong(1, Long.MAX_VALUE);
        LockMachine machine;
        try {
            machine = LockReplica.read(new ByteArrayInputStream(backup));
        } catch (IOException e) {
            throw new IllegalStateException("a backup cannot be read", e);
        }
        var ended = machine.beginEpoch(
                highestTokenSeen, longestTtl.toMillis() + machine.view().limit(Limit.LEASE_MARGIN_MILLIS));
        epoch = machine.view().epoch();
        world.note("all", () -> "begin anew from a backup: " + ended.events());
        byte[] snapshot = bytes(machine.startSnapshot()::next);
        for (String name : names) {
            disks.put(name, Disk.restored(world, faults.disk(), snapshot));
            start(name);
        }
        return ended.events();
    }

    /** The epoch, which grows with each restore. */
    public long epoch() {
        return epoch;
    }

    private static byte[] bytes(Supplier<byte @Nullable []> frames) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] frame = frames.get(); frame != null; frame = frames.get()) {
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }

    /** The way to a node from somewhere. */
    public WireChannel channel(Host from, String address) {
        return new WireChannel(wire, from, address, () -> node(address).host());
    }

    public Wire wire() {
        return wire;
    }

    @Override
    public List<String> names() {
        return names;
    }

    public SimulatedNode node(String name) {
        SimulatedNode node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no node is called " + name);
        }
        return node;
    }

    public Collection<SimulatedNode> nodes() {
        return nodes.values();
    }

    /** A node that leads, by its own account, and runs. */
    public Optional<SimulatedNode> leader() {
        return nodes.values().stream()
                .filter(node -> node.process().isRunning() && node.log().isLeading())
                .findFirst();
    }

    @Override
    public void committed(String node, long index, Object entry) {
        observer.committed(node, index, entry);
    }

    @Override
    public void send(String from, String to, Consumer<SimulatedLog> message) {
        long cluster = id;
        wire.datagram(from, to, () -> {
            SimulatedNode node = node(to);
            // Of a cluster that was restored meanwhile nobody takes anything.
            if (cluster == id) {
                node.process().arrive(0, () -> message.accept(node.log()));
            }
        });
    }
}
