package dev.holdfast.simulator.run;

import dev.holdfast.simulator.promise.Findings.Finding;
import java.util.List;

/**
 * What came of a run.
 *
 * @param broken the promises that were broken; none is what we want
 * @param events how many things happened to leases and locks
 * @param decided whether the search for an order of recorded histories came to an end
 * @param nanos how long it took, in virtual time
 * @param traceHash the same for every run of the same plan
 */
public record Report(
        Plan plan, List<Finding> broken, int operations, int events, boolean decided, long nanos, long traceHash) {
    public boolean isClean() {
        return broken.isEmpty();
    }
}
