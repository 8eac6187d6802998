package dev.holdfast.core.state;

import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.index.LongIndex;
import java.util.List;

/** Somebody who does one thing at a time, such as a thread: what it holds cannot be freed while it waits. */
public final class Actor {
    private final Name name;
    final ClaimQueue waits = new ClaimQueue();
    final LongIndex<Request> holds;

    Actor(Name name, KeyedHash hash) {
        this.name = name;
        this.holds = new LongIndex<>(Request::revision, hash);
    }

    /**
     * Actors are numbered within a client. They have an order because clients choose them: a map keeps names in order
     * that have the same hash, and so finds one among many.
     */
    public record Name(String principal, String clientId, long number) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            int byNumber = Long.compare(number, other.number);
            if (byNumber != 0) {
                return byNumber;
            }
            int byClient = clientId.compareTo(other.clientId);
            return byClient != 0 ? byClient : principal.compareTo(other.principal);
        }
    }

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
