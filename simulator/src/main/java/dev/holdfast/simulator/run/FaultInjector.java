package dev.holdfast.simulator.run;

import dev.holdfast.simulator.node.SimulatedCluster;
import dev.holdfast.simulator.node.SimulatedNode;
import dev.holdfast.simulator.world.SimulatedProcess;
import dev.holdfast.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Injects a fault now and then, and removes it some time later. */
final class FaultInjector {
    private static final long MILLI = 1_000_000;
    private static final long HOUR_MILLIS = 3_600_000;

    private final World world;
    private final SimulatedCluster cluster;
    private final Simulation run;
    private final RandomGenerator chance;
    private final long longestPause;
    private final long ttl;
    private int restores;
    private boolean over;

    FaultInjector(World world, SimulatedCluster cluster, Simulation run, Plan plan) {
        this.world = world;
        this.cluster = cluster;
        this.run = run;
        this.chance = world.chance();
        this.longestPause = plan.troublePauseMillis() * MILLI;
        this.ttl = plan.ttlMillis() * MILLI;
        this.restores = plan.restores();
    }

    void begin() {
        if (longestPause > 0 && !over) {
            world.after(chance.nextLong(longestPause), () -> {
                if (!over) {
                    make();
                    begin();
                }
            });
        }
    }

    private long aWhile() {
        return chance.nextInt(3) == 0 ? chance.nextLong(8_000 * MILLI) : chance.nextLong(1_000 * MILLI);
    }

    /** Shorter or longer than a lease lives. */
    private long aroundTtl() {
        return chance.nextLong(3 * ttl);
    }

    private void make() {
        switch (chance.nextInt(restores > 0 ? 25 : 24)) {
            case 0, 1 -> kill(leaderOrAny());
            case 2 -> kill(any());
            case 3 -> cluster.nodes().forEach(this::kill);
            case 4 -> stop(leaderOrAny().process(), aWhile());
            case 5 -> stop(any().process(), aWhile());
            case 6 -> suspend(any().process(), aWhile());
            case 7 -> isolate(leaderOrAny().process().name(), true);
            case 8 -> isolate(any().process().name(), false);
            case 9 -> contend();
            case 10 -> shake();
            case 11 -> stop(run.anyActor().client().process(), aroundTtl());
            case 12, 13, 14 -> clientTrouble();
            case 15 -> losePower(List.of(leaderOrAny()));
            case 16 -> losePower(some());
            case 17 -> losePower(List.copyOf(cluster.nodes()));
            case 18, 19 -> stallDisk(leaderOrAny());
            case 20 -> stallAndLosePower();
            case 21 -> failDisk(any());
            case 22 -> contendAndLosePower();
            case 24 -> restore();
            default -> isolate(run.anyActor().client().process().name(), chance.nextBoolean());
        }
    }

    /** A backup is made now, and some time later it is all that is left. */
    private void restore() {
        restores--;
        byte[] backup = cluster.backup(any().process().name());
        world.after(aWhile(), () -> {
            if (!over) {
                run.restore(backup);
            }
        });
    }

    private void clientTrouble() {
        SimulatedProcess process = run.anyActor().client().process();
        switch (chance.nextInt(3)) {
            case 0 -> suspend(process, aroundTtl());
            case 1 -> {
                note(process.name(), "is killed");
                run.replace(process);
            }
            default -> process.jump(chance.nextLong(-HOUR_MILLIS, HOUR_MILLIS));
        }
    }

    private SimulatedNode any() {
        List<SimulatedNode> all = new ArrayList<>(cluster.nodes());
        return all.get(chance.nextInt(all.size()));
    }

    /** One of them, or more, or all. */
    private List<SimulatedNode> some() {
        List<SimulatedNode> all = new ArrayList<>(cluster.nodes());
        for (int left = chance.nextInt(all.size()); left > 0; left--) {
            all.remove(chance.nextInt(all.size()));
        }
        return all;
    }

    private SimulatedNode leaderOrAny() {
        Optional<SimulatedNode> leader = cluster.leader();
        return leader.orElseGet(this::any);
    }

    private void note(String who, String what) {
        world.note(who, () -> what);
    }

    private void kill(SimulatedNode node) {
        if (!node.process().isAlive()) {
            return;
        }
        String name = node.process().name();
        note(name, "is killed");
        node.kill();
        world.after(aWhile(), () -> restart(name));
    }

    /** At once, as nodes in one rack do; each comes back by itself. */
    private void losePower(List<SimulatedNode> nodes) {
        for (SimulatedNode node : nodes) {
            String name = node.process().name();
            note(name, "loses power");
            cluster.losePower(name);
            world.after(aWhile(), () -> restart(name));
        }
    }

    private void stallDisk(SimulatedNode node) {
        note(node.process().name(), "has a disk that stands still");
        cluster.disk(node.process().name()).stall(aWhile());
    }

    /** What is written meanwhile is in memory alone. */
    private void stallAndLosePower() {
        List<SimulatedNode> nodes = some();
        nodes.forEach(this::stallDisk);
        if (chance.nextBoolean()) {
            contend();
        }
        world.after(aWhile(), () -> {
            if (!over) {
                losePower(nodes.stream()
                        .map(node -> cluster.node(node.process().name()))
                        .toList());
            }
        });
    }

    private void failDisk(SimulatedNode node) {
        String name = node.process().name();
        note(name, "has a disk that fails");
        cluster.disk(name).failNext(true);
        world.after(aWhile(), () -> {
            cluster.disk(name).failNext(false);
            restart(name);
        });
    }

    private void restart(String name) {
        if (!cluster.node(name).process().isAlive()) {
            note(name, "starts again");
            cluster.start(name);
        }
    }

    private void stop(SimulatedProcess process, long nanos) {
        note(process.name(), "is stopped");
        process.stop();
        world.after(nanos, () -> resume(process));
    }

    private void suspend(SimulatedProcess process, long nanos) {
        note(process.name(), "sleeps");
        process.suspend();
        world.after(nanos, () -> resume(process));
    }

    private void resume(SimulatedProcess process) {
        if (process.isAlive() && !process.isRunning()) {
            note(process.name(), "goes on");
            process.resume();
        }
    }

    private void isolate(String name, boolean bothWays) {
        note(name, bothWays ? "is cut off" : "is cut off in one direction");
        for (String other : run.names()) {
            if (!other.equals(name)) {
                cluster.wire().cut(name, other);
                if (bothWays) {
                    cluster.wire().cut(other, name);
                }
            }
        }
        world.after(aWhile(), () -> cluster.wire().heal());
    }

    /**
     * Two nodes in turn stand for election, the leader among them if there is one, each before the other has done much,
     * or anything, as leader. What the leader appended last may have reached nobody.
     */
    private void contend() {
        String leader = leaderOrAny().process().name();
        List<String> rivals = List.of(any().process().name(), leader);
        long longest = (2 * MILLI) << chance.nextInt(8);
        long when = chance.nextLong(longest);
        if (chance.nextBoolean()) {
            note(leader, "is not heard by the others");
            cluster.names().forEach(other -> cluster.wire().cut(leader, other));
            world.after(when + chance.nextLong(longest), () -> cluster.wire().heal());
        }
        int last = chance.nextInt(1, 7);
        for (int i = 0; i < last; i++) {
            SimulatedNode node = cluster.node(rivals.get(i % 2));
            world.after(when, () -> node.process().arrive(0, () -> node.log().campaign()));
            when += chance.nextLong(longest);
        }
    }

    /** Whoever has voted and not written it down votes again. */
    private void contendAndLosePower() {
        contend();
        world.after(chance.nextLong(50 * MILLI), () -> {
            if (!over) {
                losePower(some());
            }
        });
    }

    private void shake() {
        note("wire", "some connections break");
        cluster.nodes().forEach(node -> node.host().shake(3));
    }

    /** Mends everything, for good. */
    void end() {
        over = true;
        note("wire", "all faults are removed");
        cluster.wire().heal();
        cluster.names().forEach(name -> cluster.disk(name).heal());
        cluster.names().forEach(this::restart);
        cluster.nodes().forEach(node -> resume(node.process()));
        run.actors().forEach(actor -> resume(actor.client().process()));
        // Whoever leads at the end leads for good: nobody comes and ends by chance what is stuck there.
        if (longestPause > 0) {
            contend();
        }
    }
}
