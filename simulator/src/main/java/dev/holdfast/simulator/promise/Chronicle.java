package dev.holdfast.simulator.promise;

import dev.holdfast.core.event.Event;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * The log as it was applied: the first node to apply an entry tells what it made happen, and every other must agree.
 */
public final class Chronicle {
    private final Findings findings;
    private final List<Promise> promises;
    private final Map<Long, Integer> applied = new HashMap<>();
    private List<Event> events = new ArrayList<>();
    private long lastIndex = Long.MIN_VALUE;

    public Chronicle(Findings findings, List<Promise> promises) {
        this.findings = findings;
        this.promises = List.copyOf(promises);
    }

    /**
     * A node has applied an entry.
     *
     * @param proposed tells when the entry with an index was proposed
     */
    public void applied(String node, AppliedEntry entry, LongUnaryOperator proposed) {
        int outcome =
                entry.applied().hashCode() * 31 + Long.hashCode(entry.applied().now());
        Integer first = applied.putIfAbsent(entry.index(), outcome);
        if (first != null) {
            if (first != outcome) {
                findings.report("agreement", node + " disagrees on entry " + entry.index() + ": " + entry.applied());
            }
            return;
        }
        if (entry.index() < lastIndex) {
            findings.report("agreement", node + " applied entry " + entry.index() + " first, after " + lastIndex);
        }
        lastIndex = entry.index();
        long proposedNanos = proposed.applyAsLong(entry.index());
        promises.forEach(promise -> promise.entry(entry, proposedNanos));
        for (Event event : entry.applied().events()) {
            events.add(event);
            promises.forEach(promise -> promise.happened(event));
        }
        promises.forEach(promise -> promise.applied(entry));
    }

    /**
     * A backup was restored: the log begins anew.
     *
     * @param first what the restore itself made happen: the history begins with it
     */
    public void restored(List<Event> first) {
        applied.clear();
        events = new ArrayList<>(first);
        lastIndex = Long.MIN_VALUE;
        promises.forEach(promise -> promise.restored());
    }

    /** All that happened, in order, since the last restore; it goes on growing until the next. */
    public List<Event> events() {
        return events;
    }
}
