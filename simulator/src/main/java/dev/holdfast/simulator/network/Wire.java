package dev.holdfast.simulator.network;

import dev.holdfast.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The network: how long things take, and which ways are cut.
 *
 * <p>Single messages may be lost, doubled and overtake each other. A {@link Pipe} is as TCP: what is sent arrives in
 * order, or waits while its way is cut, or the connection breaks.
 */
public final class Wire {
    private static final int MILLION = 1_000_000;
    private static final long SHORTEST_NANOS = 50_000;
    private static final long SPREAD_NANOS = 400_000;
    private static final long SLOW_NANOS = 400_000_000;

    private final World world;
    private final RandomGenerator chance;
    private final NetworkFaults faults;
    private final Set<Way> cut = new LinkedHashSet<>();
    private final Set<Pipe> stuck = new LinkedHashSet<>();

    private record Way(String from, String to) {}

    public Wire(World world, NetworkFaults faults) {
        this.world = world;
        this.chance = world.chance();
        this.faults = faults;
    }

    World world() {
        return world;
    }

    RandomGenerator chance() {
        return chance;
    }

    long delay() {
        if (chance.nextInt(MILLION) < faults.slow()) {
            return chance.nextLong(SLOW_NANOS);
        }
        return SHORTEST_NANOS + chance.nextLong(SPREAD_NANOS);
    }

    /** Nothing arrives from one at the other any more. */
    public void cut(String from, String to) {
        cut.add(new Way(from, to));
    }

    /** Everything arrives again. */
    public void heal() {
        cut.clear();
        List<Pipe> waiting = new ArrayList<>(stuck);
        stuck.clear();
        waiting.forEach(Pipe::healed);
    }

    boolean isCut(String from, String to) {
        return !cut.isEmpty() && cut.contains(new Way(from, to));
    }

    void stuck(Pipe pipe) {
        stuck.add(pipe);
    }

    /** Sends a single message. */
    public void datagram(String from, String to, Runnable delivery) {
        int copies = 1;
        int luck = chance.nextInt(MILLION);
        if (luck < faults.lost()) {
            copies = 0;
        } else if (luck < faults.lost() + faults.doubled()) {
            copies = 2;
        }
        for (int i = 0; i < copies; i++) {
            world.after(delay(), () -> {
                if (!isCut(from, to)) {
                    delivery.run();
                }
            });
        }
    }
}
