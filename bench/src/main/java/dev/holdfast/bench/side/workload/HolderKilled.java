package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Findings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that holds a lock is killed: how long until a waiter in another one holds it. */
public final class HolderKilled implements Workload {
    public static final String TAKE_OVER = "take-over";

    /** Before a holder is killed, so that it has renewed and the waiter waits; more each time, to meet other moments. */
    private static final Duration HELD = Duration.ofSeconds(3);

    private static final Duration MORE = Duration.ofMillis(1_100);
    private static final long PATIENCE_MINUTES = 3;

    @Override
    public void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        try (Cluster cluster = system.start(site);
                LockClient client = system.connect(cluster.endpoints(), site.variant())) {
            for (int i = 0; i < plan.repetitions(); i++) {
                String key = "bench/abandoned/" + i;
                Process holder = new ProcessBuilder(Holder.command(system, site, cluster.endpoints(), key))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                awaitHeld(holder);
                CompletableFuture<Long> taken = waiter(client, key);
                TimeUnit.NANOSECONDS.sleep(HELD.plus(MORE.multipliedBy(i)).toNanos());
                if (taken.isDone()) {
                    throw new IllegalStateException("the waiter did not wait: " + taken);
                }
                long killed = System.nanoTime();
                holder.destroyForcibly().waitFor();
                findings.add(TAKE_OVER, "s", (taken.get(PATIENCE_MINUTES, TimeUnit.MINUTES) - killed) / 1e9);
            }
        }
    }

    private static void awaitHeld(Process holder) throws Exception {
        String said = holder.inputReader().readLine();
        if (!Holder.HELD.equals(said)) {
            throw new IllegalStateException("the holder said " + said + " instead of " + Holder.HELD);
        }
    }

    /** Gives the moment when it holds the lock, and unlocks. */
    private static CompletableFuture<Long> waiter(LockClient client, String key) {
        CompletableFuture<Long> taken = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        LockClient.Mutex mutex = client.mutex(key);
                        mutex.lock();
                        taken.complete(System.nanoTime());
                        mutex.unlock();
                    } catch (Exception e) {
                        taken.completeExceptionally(e);
                    }
                },
                "waiter");
        thread.setDaemon(true);
        thread.start();
        return taken;
    }
}
