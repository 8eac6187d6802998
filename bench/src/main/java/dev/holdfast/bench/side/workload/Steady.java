package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Findings;
import java.time.Duration;
import java.util.List;

/** A workload that leaves the servers as it found them, so that several can share a cluster and its warming up. */
public interface Steady extends Workload {
    /** Enough that what is compiled for one workload, and thrown away for another, has settled. */
    int ROUNDS = 3;

    /** Begins to play. */
    Playing begin(LockClient client) throws Exception;

    /** A workload that is being played, until it is closed. */
    interface Playing extends AutoCloseable {
        /** Plays on, for nothing but to warm up. */
        void warmUp(Duration time) throws Exception;

        /** One repetition. */
        void measure(Cluster cluster, Duration time, Findings findings) throws Exception;

        @Override
        void close();
    }

    @Override
    default void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        try (Cluster cluster = system.start(site)) {
            play(cluster, system, site, plan, findings);
        }
    }

    /** With a client of its own, which takes its sessions along when it goes. */
    private void play(Cluster cluster, LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        try (LockClient client = system.connect(cluster.endpoints(), site.variant());
                Playing playing = begin(client)) {
            playing.warmUp(plan.warmUp());
            for (int i = 0; i < plan.repetitions(); i++) {
                playing.measure(cluster, plan.measured(), findings);
            }
        }
    }

    /**
     * Plays several on one cluster: all of them in turns to warm up, each with the same share of the time, and then one
     * after another.
     *
     * @param findings of each, in the same order
     */
    static void playAll(List<Steady> workloads, LockSystem system, Site site, Plan plan, List<Findings> findings)
            throws Exception {
        Duration turn = plan.warmUp().dividedBy((long) (ROUNDS + 1) * workloads.size());
        try (Cluster cluster = system.start(site)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (Steady workload : workloads) {
                    workload.play(cluster, system, site, new Plan(turn, plan.measured(), 0), new Findings());
                }
            }
            for (int i = 0; i < workloads.size(); i++) {
                workloads
                        .get(i)
                        .play(
                                cluster,
                                system,
                                site,
                                new Plan(turn, plan.measured(), plan.repetitions()),
                                findings.get(i));
            }
        }
    }
}
