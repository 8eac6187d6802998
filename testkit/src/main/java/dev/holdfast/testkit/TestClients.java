package dev.holdfast.testkit;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastClientBuilder;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.core.ClientHost;
import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.simulator.client.SimulatedClient;
import dev.holdfast.simulator.node.SimulatedCluster;
import dev.holdfast.simulator.world.SimulatedProcess;
import dev.holdfast.simulator.world.World;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The clients of a cluster, each in a simulated process of its own. */
final class TestClients {
    /** Clocks' rates differ by less than one in a hundred, however two of them meet. */
    private static final int MAX_RATE_MILLIONTHS = 4_000;

    private final Clockwork clockwork;
    private final World world;
    private final SimulatedCluster cluster;
    private final RandomGenerator chance;
    private final CallbackThreads threads;
    private final Map<String, HoldfastClient> made = new HashMap<>();
    private final Map<String, Integer> runs = new HashMap<>();
    /** The last process of each name. Touched by the clockwork's thread alone. */
    private final Map<String, TestProcess> processes = new TreeMap<>();

    TestClients(Clockwork clockwork, World world, SimulatedCluster cluster, CallbackThreads threads) {
        this.clockwork = clockwork;
        this.world = world;
        this.cluster = cluster;
        this.chance = world.chance();
        this.threads = threads;
    }

    /** Returns the running client of that name, or a new one if none is running. */
    synchronized HoldfastClient client(String name) {
        HoldfastClient known = made.get(name);
        if (known != null && clockwork.call(() -> isAlive(name))) {
            return known;
        }
        HoldfastClient client = builder(name).build();
        made.put(name, client);
        return client;
    }

    synchronized HoldfastClientBuilder builder(String name) {
        if (name.isBlank() || cluster.names().contains(name)) {
            throw new IllegalArgumentException(
                    "client: '" + name + "' is blank or the name of a node; nodes are " + cluster.names());
        }
        int run = runs.merge(name, 1, Integer::sum);
        return HoldfastClient.builder("testkit:1")
                .clientId(run == 1 ? name : name + "." + run)
                .host(new Hosting(name));
    }

    /** Has a client run in a simulated process. */
    private final class Hosting implements ClientHost {
        private final String name;

        Hosting(String name) {
            this.name = name;
        }

        @Override
        public ClientCore open(SessionSettings settings, @Nullable Executor callbacks, SessionEvents events) {
            Executor users = callbacks == null ? threads : callbacks;
            return clockwork.call(() -> start(name, settings, users, events));
        }

        @Override
        public void close(ClientCore core) {
            clockwork.post(() -> processes.values().stream()
                    .filter(process -> process.core() == core)
                    .forEach(process -> process.kill("the client was closed")));
        }
    }

    // On the clockwork's thread ----------------------------------------------------------------------

    private ClientCore start(String name, SessionSettings settings, Executor users, SessionEvents events) {
        if (isAlive(name)) {
            throw new IllegalStateException(
                    "client: '" + name + "' runs already; close or kill it first, or give this one another name");
        }
        SimulatedProcess process =
                new SimulatedProcess(world, name, chance.nextInt(-MAX_RATE_MILLIONTHS, MAX_RATE_MILLIONTHS + 1));
        Doorway doorway = new Doorway(clockwork, process);
        Executor callbacks = task -> {
            if (!doorway.run(() -> users.execute(task))) {
                task.run(); // the test is over, and somebody still asks what became of a grant
            }
        };
        SimulatedClient client =
                new SimulatedClient(process, cluster, settings, doorway, callbacks, events, world.chance());
        processes.put(name, new TestProcess(client, doorway));
        return client.core();
    }

    private boolean isAlive(String name) {
        return find(name).map(client -> client.process().isAlive()).orElse(false);
    }

    Optional<TestProcess> find(String name) {
        return Optional.ofNullable(processes.get(name));
    }

    Collection<String> names() {
        return processes.keySet();
    }

    void killAll(String why) {
        processes.values().forEach(process -> process.kill(why));
    }
}
