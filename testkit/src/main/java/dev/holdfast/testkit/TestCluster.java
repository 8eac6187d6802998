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
 * <p>Nodes are called {@code n1}, {@code n2} and so on, clients as the test likes; each is a simulated process with clocks
 * of its own. What they do is what real ones do. The clients are used by the test's own threads, as they are in
 * production.
 *
 * <p>Time goes on by itself, as fast as real time, and at once where a method says so: {@link #advance},
 * {@link #pause}. Everything due in between happens then, in order.
 *
 * <p>Safe for use by many threads.
 */
public final class TestCluster implements AutoCloseable {
    /** Larger clusters have nothing more to show. */
    public static final int MAX_NODES = 9;

    /** How far time goes at once, at the most. */
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

    /** The same seed gives the same delays on the network, clock rates and elections; not the same order of threads. */
    public long seed() {
        return seed;
    }

    // Clients ----------------------------------------------------------------------------------------

    /**
     * The client in the process of that name, with all defaults. It is made when it is first asked for; and anew, in a
     * new process, once that one was closed or killed.
     */
    public HoldfastClient client(String name) {
        return clients.client(name);
    }

    /** A client in a new process of that name, to be set up. Channels, TLS and tokens mean nothing here. */
    public HoldfastClientBuilder clientBuilder(String name) {
        return clients.builder(name);
    }

    // Time -------------------------------------------------------------------------------------------

    /** How long the cluster has been running, in its own time. */
    public Duration elapsed() {
        return Duration.ofNanos(world.now());
    }

    /** Lets time pass at once. */
    public void advance(Duration time) {
        clockwork.advance(checked(time), () -> {}, () -> {});
    }

    /**
     * Lets time pass, quickly, until something is so.
     *
     * @throws AssertionError if it is not within {@link #LONGEST}
     */
    public void advanceUntil(BooleanSupplier condition) {
        Duration end = elapsed().plus(LONGEST);
        while (!condition.getAsBoolean()) {
            if (elapsed().compareTo(end) > 0) {
                throw new AssertionError("not so within " + LONGEST + " of the cluster's time; " + describe());
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
     * Stops a process as SIGSTOP or a long garbage collection does, lets so much time pass at once while all others go
     * on, and lets it go on.
     */
    public void pause(String name, Duration time) {
        clockwork.advance(checked(time), () -> process(name).stop(), () -> wake(name));
    }

    /** Puts the machine of a process to sleep, as a closed lid does, for so long: its monotonic clock stands still. */
    public void suspend(String name, Duration time) {
        clockwork.advance(checked(time), () -> process(name).suspend(), () -> wake(name));
    }

    /** Stops a process until {@link #resume}. What its threads ask of the client waits meanwhile. */
    public void stop(String name) {
        act(() -> process(name).stop());
    }

    /** Lets a process that was stopped go on. */
    public void resume(String name) {
        act(() -> wake(name));
    }

    /**
     * Ends a process without a word to others, as SIGKILL does. Threads that wait for its client get
     * {@link dev.holdfast.client.api.UnavailableException}, and so does who asks it for something later.
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

    /** Kills the node that leads, once there is one; its name. */
    public String killLeader() {
        awaitLeader();
        return clockwork.call(() -> {
            SimulatedNode leader = currentLeader()
                    .orElseThrow(() -> new IllegalStateException("no node leads any more; " + describeHere()));
            leader.kill();
            return leader.process().name();
        });
    }

    /** Starts a node that was killed, from its disk. */
    public void restart(String node) {
        act(() -> {
            if (nodes.node(node).process().isAlive()) {
                throw new IllegalStateException("'" + node + "' runs; kill it first");
            }
            nodes.start(node);
        });
    }

    /** Sets the wall clock of a process ahead, or back. Nothing that counts is decided by it. */
    public void jumpWallClock(String name, Duration by) {
        act(() -> process(name).jump(by.toMillis()));
    }

    /** The node that leads, by its own account and with the highest term; none while one is being elected. */
    public Optional<String> leader() {
        return clockwork.call(
                () -> currentLeader().map(leader -> leader.process().name()));
    }

    /** All nodes, dead ones too. */
    public List<String> nodes() {
        return nodes.names();
    }

    private void awaitLeader() {
        advanceUntil(() -> leader().isPresent());
    }

    // The network ------------------------------------------------------------------------------------

    /**
     * Cuts the network so that nothing passes between processes of different groups, until {@link #heal}. Who is in no
     * group still reaches everybody.
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

    /** Cuts a process off from all others that there are, until {@link #heal}. */
    public void isolate(String name) {
        act(() -> everybody().stream().filter(other -> !other.equals(name)).forEach(other -> {
            cutWay(name, other);
            cutWay(other, name);
        }));
    }

    /** Nothing that one sends reaches the other any more, until {@link #heal}; the way back is open. */
    public void cut(String from, String to) {
        act(() -> cutWay(from, to));
    }

    /** Mends the network. What connections held back arrives then, as with TCP. */
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

    /** Ends everything, threads included. Calls of clients that still wait fail. */
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
