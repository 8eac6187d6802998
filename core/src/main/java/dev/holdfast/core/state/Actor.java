package dev.holdfast.core.state;

import dev.holdfast.core.index.LongIndex;
import java.util.List;

/** Somebody who does one thing at a time, such as a thread: what it holds cannot be freed while it waits. */
public final class Actor {
    private final Name name;
    final ClaimQueue waits = new ClaimQueue();
    final LongIndex<Request> holds = new LongIndex<>(Request::revision);

    Actor(Name name) {
        this.name = name;
    }

    /** Actors are numbered within a client. */
    public record Name(String principal, String clientId, long number) {}

    public Name name() {
        return name;
    }

    public boolean isWaiting() {
        return !waits.isEmpty();
    }

    public int waitCount() {
        return waits.size();
    }

    /** Waiting requests, by rank. */
    public Request wait(int position) {
        return waits.get(position).request();
    }

    public int holdCount() {
        return holds.size();
    }

    /** What it holds, in no order that means anything. */
    public List<Request> holds() {
        return holds.values();
    }
}
