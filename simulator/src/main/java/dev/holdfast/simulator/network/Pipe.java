package dev.holdfast.simulator.network;

import java.util.ArrayDeque;

/** One direction of a connection: in order, or not at all. */
final class Pipe {
    private final Wire wire;
    private final String from;
    private final String to;
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private long lastArrival;
    private int underway;
    private boolean broken;

    Pipe(Wire wire, String from, String to) {
        this.wire = wire;
        this.from = from;
        this.to = to;
    }

    void send(Runnable delivery) {
        underway++;
        travel(delivery);
    }

    private void travel(Runnable delivery) {
        long now = wire.world().now();
        lastArrival = Math.max(lastArrival + 1, now + wire.delay());
        wire.world().after(lastArrival - now, () -> arrived(delivery));
    }

    private void arrived(Runnable delivery) {
        if (broken) {
            return;
        }
        if (!held.isEmpty() || wire.isCut(from, to)) {
            held.add(delivery);
            wire.stuck(this);
        } else {
            underway--;
            delivery.run();
        }
    }

    /** What was held is sent again, as TCP does. */
    void healed() {
        ArrayDeque<Runnable> again = new ArrayDeque<>(held);
        held.clear();
        again.forEach(this::travel);
    }

    /** What is under way never arrives. */
    void breakOff() {
        broken = true;
        held.clear();
    }

    /** Messages that were sent and have not arrived. */
    int underway() {
        return underway;
    }
}
