package dev.holdfast.cli.load;

import dev.holdfast.client.HoldfastClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A run: threads that warm up, then are measured, then stop. */
final class Load {
    private static final Duration STOPPING = Duration.ofSeconds(10);
    private static final long TICK_MILLIS = 1_000;

    private final Plan plan;
    private final Supplier<HoldfastClient> connect;
    private final Progress progress;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile Meter meter = new Meter();

    /** Told once a second how it goes. */
    interface Progress {
        void told(String phase, Duration passed, Duration of, long pairs);
    }

    /** What a run gave. */
    record Outcome(Meter meter, Duration measured) {}

    Load(Plan plan, Supplier<HoldfastClient> connect, Progress progress) {
        this.plan = plan;
        this.connect = connect;
        this.progress = progress;
    }

    /** Ends the run early; what was measured by then counts. */
    void stop() {
        stop.countDown();
    }

    Outcome run() throws InterruptedException {
        List<HoldfastClient> clients = new ArrayList<>();
        List<Worker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 0; i < plan.clients(); i++) {
                clients.add(connect.get());
            }
            for (int i = 0; i < plan.threads(); i++) {
                Worker worker = new Worker(plan, i, clients.get(i % clients.size()), () -> meter);
                Thread thread = new Thread(worker, "holdfast-bench-" + i);
                workers.add(worker);
                threads.add(thread);
                thread.start();
            }
            Duration unused = watch("warming up", plan.warmUp(), meter);
            Meter measured = new Meter();
            meter = measured;
            Duration took = watch("measuring", plan.duration(), measured);
            return new Outcome(measured, took);
        } finally {
            workers.forEach(Worker::stop);
            end(threads);
            clients.forEach(HoldfastClient::close);
        }
    }

    private Duration watch(String phase, Duration length, Meter meter) throws InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            Duration passed = Duration.ofNanos(System.nanoTime() - begun);
            if (passed.compareTo(length) >= 0 || stop.getCount() == 0) {
                return passed;
            }
            progress.told(phase, passed, length, meter.pairs());
            boolean unused =
                    stop.await(Math.min(TICK_MILLIS, length.minus(passed).toMillis() + 1), TimeUnit.MILLISECONDS);
        }
    }

    /** A thread that waits for a lock is given a little time to get it, and is then interrupted. */
    private static void end(List<Thread> threads) throws InterruptedException {
        long end = System.nanoTime() + STOPPING.toNanos();
        for (Thread thread : threads) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            thread.join(Math.max(1, left));
            thread.interrupt();
        }
    }
}
