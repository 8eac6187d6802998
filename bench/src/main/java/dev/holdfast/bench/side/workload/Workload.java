package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Findings;

/** Something that is measured of every system alike. */
public interface Workload {
    /** Starts the system, plays, writes down what it finds, and stops the system. */
    void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception;
}
