package dev.holdfast.simulator.promise;

import java.util.HashMap;
import java.util.Map;

/**
 * What was committed once is committed for good: no node, in no life, finds another entry in its place, and at the end
 * none lacks it. Of an entry that was committed somebody may have been told.
 */
public final class Durability implements Promise {
    private final Findings findings;
    private final Map<Long, Object> committed = new HashMap<>();
    private long last = -1;

    public Durability(Findings findings) {
        this.findings = findings;
    }

    /**
     * A node takes an entry for committed.
     *
     * @param entry the same object wherever it is the same entry
     */
    public void committed(String node, long index, Object entry) {
        Object first = committed.putIfAbsent(index, entry);
        if (first != null && first != entry) {
            findings.report("durability", node + " commits another entry " + index + " than was committed before");
        }
        last = Math.max(last, index);
    }

    /** A node has come to rest. */
    public void check(String node, long applied) {
        if (applied < last) {
            findings.report("durability", node + " has come to entry " + applied + ", and " + last + " was committed");
        }
    }

    @Override
    public void restored() {
        committed.clear();
        last = -1;
    }
}
