package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Figures;
import dev.holdfast.bench.side.report.Findings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The leader is killed while threads lock and unlock: the longest time without a grant to any of them.
 *
 * <p>Each repetition has a cluster of its own, for not every system takes a member back that was killed.
 */
public final class LeaderKilled implements Workload {
    public static final String GAP = "longest gap";

    private static final int THREADS = 8;
    /** Longer than any system needed to go on. */
    private static final Duration WATCHED = Duration.ofSeconds(20);

    @Override
    public void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        for (int i = 0; i < plan.repetitions(); i++) {
            Site place = new Site(site.directory("run-" + i), site.serverFlags(), site.variant());
            findings.add(GAP, "s", gap(system, place, plan.warmUp()));
        }
    }

    private static double gap(LockSystem system, Site site, Duration warmUp) throws Exception {
        List<Insistent> threads = new ArrayList<>();
        try (Cluster cluster = system.start(site);
                LockClient client = system.connect(cluster.endpoints(), site.variant())) {
            for (int i = 0; i < THREADS; i++) {
                Insistent thread = new Insistent(client, "bench/killed/" + i);
                threads.add(thread);
                thread.start();
            }
            TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
            long killed = System.nanoTime();
            system.leader(cluster).kill();
            TimeUnit.NANOSECONDS.sleep(WATCHED.toNanos());
            threads.forEach(Insistent::end);
            Samples moments = new Samples();
            // A silence that has not ended counts as far as it went.
            moments.add(System.nanoTime());
            threads.forEach(thread -> thread.copyTo(moments));
            return Figures.longestGap(killed, moments.toArray()) / 1e9;
        }
    }

    /** A thread that goes on after failures, with another key: what became of the last one is not known. */
    private static final class Insistent extends Thread {
        private static final long PAUSE_MILLIS = 10;

        private final LockClient client;
        private final String key;
        private final Samples grants = new Samples();
        private volatile boolean stopping;

        Insistent(LockClient client, String key) {
            super(key);
            this.client = client;
            this.key = key;
            setDaemon(true);
        }

        @Override
        public void run() {
            for (int attempt = 0; !stopping; attempt++) {
                try {
                    lockOn(client.mutex(key + "/" + attempt));
                } catch (Exception e) {
                    pause();
                }
            }
        }

        private void lockOn(LockClient.Mutex mutex) throws Exception {
            while (!stopping) {
                mutex.lock();
                granted(System.nanoTime());
                mutex.unlock();
            }
        }

        private static void pause() {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private synchronized void granted(long moment) {
            grants.add(moment);
        }

        synchronized void copyTo(Samples all) {
            for (long moment : grants.toArray()) {
                all.add(moment);
            }
        }

        void end() {
            stopping = true;
        }
    }
}
