package dev.holdfast.simulator.run;

import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.watch.WatchOptions;
import dev.holdfast.core.event.Event;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import dev.holdfast.simulator.client.SimulatedClient;
import dev.holdfast.simulator.network.Wire;
import dev.holdfast.simulator.node.SimulatedCluster;
import dev.holdfast.simulator.node.SimulatedNode;
import dev.holdfast.simulator.promise.Belief;
import dev.holdfast.simulator.promise.Chronicle;
import dev.holdfast.simulator.promise.Deadlocks;
import dev.holdfast.simulator.promise.Durability;
import dev.holdfast.simulator.promise.ExactlyOnce;
import dev.holdfast.simulator.promise.Exclusion;
import dev.holdfast.simulator.promise.Findings;
import dev.holdfast.simulator.promise.FirstComeFirstServed;
import dev.holdfast.simulator.promise.Histories;
import dev.holdfast.simulator.promise.LeaseLife;
import dev.holdfast.simulator.promise.TokenOrder;
import dev.holdfast.simulator.promise.WatchDelivery;
import dev.holdfast.simulator.world.SimulatedProcess;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One run, from a seed to a verdict: trouble while clients work, then healing, then everything must come to rest.
 *
 * <p>Safety is checked all the time. That things get done is promised only once nothing is broken any more: within
 * thirty seconds of that every wait has ended, and when all clients have left, nothing is left of them.
 */
public final class Simulation {
    private static final long SECOND = 1_000_000_000L;
    private static final long LONGEST_RUN = 600 * SECOND;
    private static final long RECOVERY = 30 * SECOND;
    private static final long REST = 10 * SECOND;
    private static final long STEP = SECOND / 10;
    private static final int MAX_RATE_MILLIONTHS = 4_000;

    private final Plan plan;
    private final Trace trace;
    private final World world;
    private final RandomGenerator chance;
    private final Findings findings;
    private final Exclusion exclusion;
    private final TokenOrder tokenOrder;
    private final LeaseLife leaseLife;
    private final Belief belief;
    private final Histories histories;
    private final Durability durability;
    private final Chronicle chronicle;
    private final SimulatedCluster cluster;
    private final FaultInjector faults;
    private final List<Actor> actors = new ArrayList<>();
    private final List<WatchDelivery> watches = new ArrayList<>();
    private int begun;
    private int clientsMade;
    private boolean decided = true;

    private Simulation(Plan plan, Trace trace) {
        this.plan = plan;
        this.trace = trace;
        this.world = new World(plan.seed(), trace);
        this.chance = world.chance();
        this.findings = new Findings(world);
        this.exclusion = new Exclusion(findings);
        this.tokenOrder = new TokenOrder(findings);
        this.leaseLife = new LeaseLife(findings);
        this.belief = new Belief(findings);
        this.histories = new Histories(world, findings, RandomOptions.RECORDED);
        this.durability = new Durability(findings);
        this.chronicle = new Chronicle(
                findings,
                List.of(
                        exclusion,
                        tokenOrder,
                        new FirstComeFirstServed(findings),
                        new ExactlyOnce(findings),
                        leaseLife,
                        new Deadlocks(findings),
                        belief,
                        histories,
                        durability));
        this.cluster =
                new SimulatedCluster(world, new Wire(world, plan.network()), plan.nodes(), plan.log(), new Observed());
        this.faults = new FaultInjector(world, cluster, this, plan);
    }

    /** Carries a plan out. */
    public static Report run(Plan plan, Trace trace) {
        return new Simulation(plan, trace).run();
    }

    private Report run() {
        cluster.start();
        for (int i = 1; i <= plan.clients(); i++) {
            actors.add(newActor("c" + i));
        }
        faults.begin();
        while (begun < plan.operations() && world.now() < LONGEST_RUN && findings.isEmpty()) {
            world.run(STEP);
            belief.look();
        }
        if (findings.isEmpty()) {
            recover();
        }
        if (findings.isEmpty()) {
            rest();
        }
        if (findings.isEmpty()) {
            leave();
        }
        return new Report(plan, findings.all(), begun, chronicle.events().size(), decided, world.now(), trace.hash());
    }

    private void recover() {
        faults.end();
        actors.forEach(Actor::leave);
        long end = world.now() + RECOVERY;
        while (actors.stream().anyMatch(actor -> actor.underWay() > 0) && findings.isEmpty()) {
            if (world.now() > end) {
                actors.stream()
                        .filter(actor -> actor.underWay() > 0)
                        .forEach(actor -> findings.report(
                                "recovery",
                                actor.client().process().name() + " waits for " + actor.underWay()
                                        + " answers 30 s after all faults were removed"));
            }
            world.run(STEP);
        }
    }

    /** What everybody has given back nobody holds, though all clients are still there. */
    private void rest() {
        world.run(REST);
        belief.look();
        actors.forEach(Actor::rest);
        if (exclusion.held() > 0) {
            findings.report("rest", exclusion.held() + " grants are left that nobody knows of");
        }
    }

    private void leave() {
        actors.forEach(Actor::close);
        world.run(RECOVERY);
        if (exclusion.held() > 0 || leaseLife.alive() > 0) {
            findings.report(
                    "lateness",
                    exclusion.held() + " grants and " + leaseLife.alive() + " leases are left, and nobody is there");
        }
        long applied = cluster.node("n1").replica().appliedIndex();
        long hash = hash(cluster.node("n1"));
        for (SimulatedNode node : cluster.nodes()) {
            durability.check(node.process().name(), node.log().appliedIndex());
            if (node.replica().appliedIndex() != applied || hash(node) != hash) {
                findings.report(
                        "agreement",
                        node.process().name() + " is at entry " + node.replica().appliedIndex() + " with state "
                                + hash(node) + ", and n1 at " + applied + " with " + hash);
            }
        }
        watches.forEach(WatchDelivery::check);
        decided = histories.check();
        trace.mix(hash);
    }

    private static long hash(SimulatedNode node) {
        return node.replica().stateHash();
    }

    private final class Observed implements SimulatedCluster.Observer {
        @Override
        public void applied(SimulatedNode node, AppliedEntry entry) {
            String name = node.process().name();
            world.note(
                    name,
                    () -> "applies entry " + entry.index() + ": "
                            + entry.applied().events());
            trace.mix(entry.applied().revision());
            chronicle.applied(name, entry, node.log()::proposedNanos);
        }

        @Override
        public void committed(String node, long index, Object entry) {
            durability.committed(node, index, entry);
        }
    }

    private Actor newActor(String name) {
        SimulatedProcess process =
                new SimulatedProcess(world, name, chance.nextInt(-MAX_RATE_MILLIONTHS, MAX_RATE_MILLIONTHS + 1));
        String clientId = name + "." + ++clientsMade;
        SessionSettings settings = new SessionSettings(
                clientId, ttl(), Duration.ZERO, Duration.ofSeconds(10), Duration.ofMillis(20), Duration.ofSeconds(1));
        return new Actor(this, new SimulatedClient(process, cluster, settings), clientId);
    }

    // What actors and faults ask for ----------------------------------------------------------------

    /** Whether there is room for one more operation. */
    boolean begins() {
        return begun++ < plan.operations();
    }

    /** How long a client's session lives after its last renewal. */
    Duration ttl() {
        return Duration.ofMillis(plan.ttlMillis());
    }

    Findings findings() {
        return findings;
    }

    Belief belief() {
        return belief;
    }

    Histories histories() {
        return histories;
    }

    /** The last revision that anybody knows. */
    Cursor cursor() {
        List<Event> events = chronicle.events();
        return new Cursor(
                cluster.epoch(),
                events.isEmpty() ? 0 : events.get(events.size() - 1).revision());
    }

    /** All that happens. */
    List<Event> events() {
        return chronicle.events();
    }

    WatchDelivery watched(String who, WatchOptions options) {
        WatchDelivery watched = new WatchDelivery(who, options, findings);
        watches.add(watched);
        return watched;
    }

    List<Actor> actors() {
        return actors;
    }

    Actor anyActor() {
        return actors.get(chance.nextInt(actors.size()));
    }

    /** All who are on the network. */
    List<String> names() {
        return Stream.concat(
                        cluster.names().stream(),
                        IntStream.rangeClosed(1, plan.clients()).mapToObj(i -> "c" + i))
                .toList();
    }

    /** Kills a client's process, and starts another in its place. */
    void replace(SimulatedProcess process) {
        for (int i = 0; i < actors.size(); i++) {
            Actor actor = actors.get(i);
            if (actor.client().process() == process) {
                actor.client().kill();
                actor.died();
                actors.set(i, newActor(process.name()));
            }
        }
    }

    /** Begins anew from a backup. Those who used the cluster before are replaced, and go on believing for a while. */
    void restore(byte[] backup) {
        chronicle.restored(cluster.restore(backup, tokenOrder.highest(), ttl()));
        for (int i = 0; i < actors.size(); i++) {
            actors.get(i).retire();
            actors.set(i, newActor(actors.get(i).client().process().name()));
        }
    }

    /** Gives an exported grant to somebody. */
    void handOn(String text) {
        Actor other = anyActor();
        other.client().process().arrive(chance.nextLong(SECOND), () -> other.takeUp(text));
    }
}
