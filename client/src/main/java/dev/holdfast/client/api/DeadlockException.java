package dev.holdfast.client.api;

import java.util.List;

/** Waiting would have closed a cycle of waits: release what you hold, then retry. */
public final class DeadlockException extends HoldfastException {
    private final List<String> cycle;

    public DeadlockException(String message, List<String> cycle) {
        super(message);
        this.cycle = List.copyOf(cycle);
    }

    /** Who is in the way of whom, one line each. */
    public List<String> cycle() {
        return cycle;
    }
}
