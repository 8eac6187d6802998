package dev.holdfast.simulator.story;

import com.google.protobuf.ByteString;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.simulator.client.SimulatedClient;
import dev.holdfast.simulator.log.LogFaults;
import dev.holdfast.simulator.network.NetworkFaults;
import dev.holdfast.simulator.network.Wire;
import dev.holdfast.simulator.node.SimulatedCluster;
import dev.holdfast.simulator.world.SimulatedProcess;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** A cluster and its time, for stories: nothing goes wrong here unless the story says so. */
final class Stage {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Consumer<String> out;
    private final World world;
    private final SimulatedCluster cluster;
    private final Duration ttl;
    private final long beganNanos;

    /**
     * A cluster that has a leader.
     *
     * @param out where the story is told
     */
    Stage(long seed, int nodes, Duration ttl, Consumer<String> out) {
        this.out = out;
        this.ttl = ttl;
        this.world = new World(seed, Trace.hashed());
        this.cluster = new SimulatedCluster(
                world, new Wire(world, NetworkFaults.NONE), nodes, LogFaults.NONE, (node, entry) -> {});
        cluster.start();
        while (cluster.leader().isEmpty()) {
            world.run(Duration.ofMillis(10).toNanos());
        }
        this.beganNanos = world.now();
    }

    SimulatedCluster cluster() {
        return cluster;
    }

    /** Lets time pass until so long after the beginning. */
    void until(Duration sinceBeginning) {
        world.run(beganNanos + sinceBeginning.toNanos() - world.now());
    }

    Duration now() {
        return Duration.ofNanos(world.now() - beganNanos);
    }

    void say(String who, String what) {
        out.accept(
                String.format(Locale.ROOT, "[%5.2f] %s: %s", (world.now() - beganNanos) / NANOS_PER_SECOND, who, what));
    }

    /** Somebody comes. */
    SimulatedClient client(String name) {
        SessionSettings settings = new SessionSettings(
                name, ttl, Duration.ZERO, Duration.ofSeconds(10), Duration.ofMillis(20), Duration.ofSeconds(1));
        return new SimulatedClient(new SimulatedProcess(world, name, 0), cluster, settings);
    }

    /** Somebody waits for a lock, however long it takes. */
    void lock(SimulatedClient client, String key, Consumer<Grant> granted) {
        String name = client.process().name();
        say(name, "asks for " + key);
        AcquireOptions options = new AcquireOptions(
                List.of(Item.newBuilder().setKey(key).build()),
                AcquireOptions.FOREVER,
                0,
                0,
                0,
                "",
                ByteString.EMPTY,
                0);
        var unused = client.core()
                .grants()
                .acquire(options)
                .future(found -> found.orElseThrow())
                .thenAccept(grant -> {
                    say(name, "holds " + key + ", token " + grant.token());
                    granted.accept(grant);
                });
    }

    /** Has somebody do something after a while, by their own clock. */
    void later(SimulatedClient client, Duration delay, Runnable task) {
        var unused = client.process().schedule(delay.toNanos(), task);
    }
}
