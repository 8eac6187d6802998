package dev.holdfast.simulator.network;

import java.util.ArrayDeque;

/** One direction of a connection: in order, or not at all. */
final class Pipe {
    private final Wire wire;
    private final String from;
    private final String to;
    private final ArrayDeque<Runnable> sent = new ArrayDeque<>();
    private long lastArrival;
    private int held;
    private boolean broken;

    Pipe(Wire wire, String from, String to) {
        this.wire = wire;
        this.from = from;
        this.to = to;
    }

    void send(Runnable delivery) {
        sent.add(delivery);
        travel();
    }

    private void travel() {
        long now = wire.world().now();
        lastArrival = Math.max(lastArrival + 1, now + wire.delay());
        wire.world().after(lastArrival - now, this::arrived);
    }

    /** Something has come through: whatever it was, it is the oldest that is handed over. */
    private void arrived() {
        if (broken) {
            return;
        }
        if (wire.isCut(from, to)) {
            held++;
            wire.stuck(this);
        } else {
            sent.remove().run();
        }
    }

    /** What was held is sent again, as TCP does. */
    void healed() {
        for (; held > 0; held--) {
            travel();
        }
    }

    /** What is under way never arrives. */
    void breakOff() {
        broken = true;
        sent.clear();
    }

    /** Messages that were sent and have not arrived. */
    int underway() {
        return sent.size();
    }
}
