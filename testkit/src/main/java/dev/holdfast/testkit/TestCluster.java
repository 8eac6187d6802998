package dev.holdfast.testkit;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastClientBuilder;
import dev.holdfast.simulator.log.LogFaults;
import dev.holdfast.simulator.network.NetworkFaults;
import dev.holdfast.simulator.network.Wire;
import dev.holdfast.simulator.node.SimulatedCluster;
import dev.holdfast.simulator.node.SimulatedNode;
import dev.holdfast.simulator.world.SimulatedProcess;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A Holdfast cluster and its clients inside this process, in time that the test controls.
 *
 * <p>Nodes are called {@code n1}, {@code n2} and so on; the test chooses the names of clients. Each is a simulated
 * process with its own clocks, and behaves like a real one. The test's own threads use the clients, as in production.
 *
 * <p>Time passes by itself at the speed of real time, and immediately when a method says so: {@link #advance}, {@link
 * #pause}. Everything due in between then happens in order.
 *
 * <p>Thread-safe.
 */
public final class TestCluster implements AutoCloseable {
    /** The maximum number of nodes; larger clusters show nothing new. */
    public static final int MAX_NODES = 9;

    /** The longest time that one call can let pass. */
    public static final Duration LONGEST = Duration.ofHours(1);

    private static final Duration GLANCE = Duration.ofMillis(10);

    private final long seed;
    private final World world;
    private final Wire wire;
    private final SimulatedCluster nodes;
    private final Clockwork clockwork;
    private final CallbackThreads threads = new CallbackThreads();
    private final TestClients clients;
    private final AtomicBoolean closed = new AtomicBoolean();

    private TestCluster(int size, long seed) {
        if (size < 1 || size > MAX_NODES) {
            throw new IllegalArgumentException("nodes: must be from 1 to " + MAX_NODES + ", is " + size);
        }
        this.seed = seed;
        this.world = new World(seed, Trace.hashed());
        this.wire = new Wire(world, NetworkFaults.NONE);
        this.nodes = new SimulatedCluster(world, wire, size, LogFaults.NONE, (node, entry) -> {});
        this.clockwork = new Clockwork(world, this::killClients);
        this.clients = new TestClients(clockwork, world, nodes, threads);
    }

    /** Starts a cluster, and returns when it has a leader. */
    public static TestCluster start(int nodes, long seed) {
        TestCluster cluster = new TestCluster(nodes, seed);
        cluster.nodes.start();
        cluster.clockwork.start();
        try {
            cluster.awaitLeader();
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * The seed: the same one gives the same network delays, clock rates and elections, but not the same order of
     * threads.
     */
    public long seed() {
        return seed;
    }

    // Clients ----------------------------------------------------------------------------------------

    /**
     * Returns the client in the process of that name, with default settings. It is created on the first call, and
     * again, in a new process, once the previous one was closed or killed.
     */
    public HoldfastClient client(String name) {
        return clients.client(name);
    }

    /** Returns a builder for a client in a new process of that name. Channels, TLS and tokens have no effect here. */
    public HoldfastClientBuilder clientBuilder(String name) {
        return clients.builder(name);
    }

    // Time -------------------------------------------------------------------------------------------

    /** How long the cluster has been running, in its own time. */
    public Duration elapsed() {
        return Duration.ofNanos(world.now());
    }

    /** Lets time pass immediately. */
    public void advance(Duration time) {
        clockwork.advance(checked(time), () -> {}, () -> {});
    }

    /**
     * Lets time pass quickly until a condition is true.
     *
     * @throws AssertionError if it does not become true within {@link #LONGEST}
     */
    public void advanceUntil(BooleanSupplier condition) {
        Duration end = elapsed().plus(LONGEST);
        while (!condition.getAsBoolean()) {
            if (elapsed().compareTo(end) > 0) {
                throw new AssertionError("not true within " + LONGEST + " of the cluster's time; " + describe());
            }
            advance(GLANCE);
        }
    }

    private static Duration checked(Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("time: must be from 0 to " + LONGEST + ", is " + time);
        }
        return time;
    }

    // Processes: nodes and clients -------------------------------------------------------------------

    /**
     * Stops a process as SIGSTOP or a long garbage collection does, lets {@code time} pass immediately for all others,
     * and resumes the process.
     */
    public void pause(String name, Duration time) {
        clockwork.advance(checked(time), () -> process(name).stop(), () -> wake(name));
    }

    /**
     * Puts the machine of a process to sleep for {@code time}, like closing a laptop's lid: its monotonic clock stands
     * still.
     */
    public void suspend(String name, Duration time) {
        clockwork.advance(checked(time), () -> process(name).suspend(), () -> wake(name));
    }

    /** Stops a process until {@link #resume}. Calls to its client wait meanwhile. */
    public void stop(String name) {
        act(() -> process(name).stop());
    }

    /** Resumes a stopped process. */
    public void resume(String name) {
        act(() -> wake(name));
    }

    /**
     * Ends a process without notice, as SIGKILL does. Threads that wait for its client get {@link
     * dev.holdfast.client.api.UnavailableException}, and so do later calls.
     */
    public void kill(String name) {
        act(() -> {
            SimulatedProcess process = process(name);
            clients.find(name)
                    .ifPresentOrElse(
                            client -> client.kill("the test killed " + process.name()),
                            () -> nodes.node(name).kill());
        });
    }

    /** Kills the leader, waiting for one if necessary, and returns its name. */
    public String killLeader() {
        awaitLeader();
        return clockwork.call(() -> {
            SimulatedNode leader =
                    currentLeader().orElseThrow(() -> new IllegalStateException("no node leads; " + describeHere()));
            leader.kill();
            return leader.process().name();
        });
    }

    /** Restarts a killed node from its disk. */
    public void restart(String node) {
        act(() -> {
            if (nodes.node(node).process().isAlive()) {
                throw new IllegalStateException("'" + node + "' runs; kill it first");
            }
            nodes.start(node);
        });
    }

    /** Moves the wall clock of a process forwards or backwards. Nothing that matters depends on it. */
    public void jumpWallClock(String name, Duration by) {
        act(() -> process(name).jump(by.toMillis()));
    }

    /** Returns the node that says it leads, with the highest term; empty while a leader is being elected. */
    public Optional<String> leader() {
        return clockwork.call(
                () -> currentLeader().map(leader -> leader.process().name()));
    }

    /** Returns all nodes, including dead ones. */
    public List<String> nodes() {
        return nodes.names();
    }

    private void awaitLeader() {
        advanceUntil(() -> leader().isPresent());
    }

    // The network ------------------------------------------------------------------------------------

    /**
     * Cuts the network so that nothing passes between processes of different groups, until {@link #heal}. A process in
     * no group can still reach everybody.
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final void partition(Set<String>... groups) {
        List<Set<String>> sides = List.of(groups);
        act(() -> {
            for (Set<String> side : sides) {
                for (Set<String> other : sides) {
                    if (side != other) {
                        side.forEach(from -> other.forEach(to -> cutWay(from, to)));
                    }
                }
            }
        });
    }

    /** Cuts a process off from all other existing processes, until {@link #heal}. */
    public void isolate(String name) {
        act(() -> everybody().stream().filter(other -> !other.equals(name)).forEach(other -> {
            cutWay(name, other);
            cutWay(other, name);
        }));
    }

    /** Cuts the network in one direction, until {@link #heal}: nothing sent by {@code from} reaches {@code to}. */
    public void cut(String from, String to) {
        act(() -> cutWay(from, to));
    }

    /** Repairs the network. What connections held back then arrives, as with TCP. */
    public void heal() {
        act(wire::heal);
    }

    // On the clockwork's thread ----------------------------------------------------------------------

    private void act(Runnable task) {
        clockwork.call(() -> {
            task.run();
            return true;
        });
    }

    private void wake(String name) {
        clients.find(name)
                .ifPresentOrElse(TestProcess::resume, () -> process(name).resume());
    }

    private void cutWay(String from, String to) {
        wire.cut(process(from).name(), process(to).name());
    }

    private List<String> everybody() {
        List<String> all = new ArrayList<>(nodes.names());
        all.addAll(clients.names());
        return all;
    }

    private SimulatedProcess process(String name) {
        return clients.find(name).map(TestProcess::process).orElseGet(() -> {
            if (!nodes.names().contains(name)) {
                throw new IllegalArgumentException("no process is called '" + name + "'; there are " + everybody());
            }
            return nodes.node(name).process();
        });
    }

    private Optional<SimulatedNode> currentLeader() {
        return nodes.nodes().stream()
                .filter(node -> node.process().isRunning() && node.log().isLeading())
                .max(Comparator.comparingLong(node -> node.log().status().role().term()));
    }

    private void killClients() {
        clients.killAll("the simulated cluster failed");
    }

    /** What runs and what does not, for people. */
    String describe() {
        try {
            return clockwork.call(this::describeHere);
        } catch (IllegalStateException e) {
            return "seed " + seed + ", after " + elapsed().toMillis() + " ms: " + e.getMessage();
        }
    }

    private String describeHere() {
        StringBuilder text =
                new StringBuilder("seed " + seed + ", after " + elapsed().toMillis() + " ms:");
        for (String name : everybody()) {
            SimulatedProcess process = process(name);
            String state = process.isRunning() ? " runs" : process.isAlive() ? " stands still" : " is dead";
            text.append(' ').append(name).append(state).append(',');
        }
        return text + " leader "
                + currentLeader().map(node -> node.process().name()).orElse("none");
    }

    /** Ends everything, including all threads. Client calls that still wait fail. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            act(() -> clients.killAll("the test is over"));
        } finally {
            clockwork.close();
            threads.close();
        }
    }
}
