package dev.holdfast.cli.load;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.LockCall;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.HoldfastException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One thread that takes locks and gives them back until it is told to stop.
 *
 * <p>At a given rate it has a time at which each pair should begin, and latency counts from there: a service that
 * stands still for a second is then seen by all who would have come in that second, not by one alone.
 */
final class Worker implements Runnable {
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;

    private final Plan plan;
    private final int number;
    private final HoldfastClient client;
    private final Supplier<Meter> meter;
    private volatile boolean stopped;

    Worker(Plan plan, int number, HoldfastClient client, Supplier<Meter> meter) {
        this.plan = plan;
        this.number = number;
        this.client = client;
        this.meter = meter;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        long gapNanos = plan.rate() > 0 ? (long) (TimeUnit.SECONDS.toNanos(1) * plan.threads() / plan.rate()) : 0;
        long next = System.nanoTime() + gapNanos * number / plan.threads();
        try {
            for (long n = 0; !stopped; n++) {
                if (gapNanos > 0) {
                    sleepUntil(next);
                }
                pair(n, gapNanos > 0 ? next : System.nanoTime());
                next += gapNanos;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pair(long n, long begunNanos) throws InterruptedException {
        Meter counted = meter.get();
        try {
            LockCall call = client.lock(plan.key(number, n));
            Grant grant = (plan.sharedMode() ? call.shared() : call).acquire();
            long granted = System.nanoTime();
            if (!plan.hold().isZero()) {
                TimeUnit.NANOSECONDS.sleep(plan.hold().toNanos());
            }
            long done = System.nanoTime();
            Grant.Outcome outcome = grant.release();
            if (outcome == Grant.Outcome.RELEASED) {
                counted.pair(begunNanos, granted, done, System.nanoTime());
            } else {
                counted.failure(new HoldfastException("a release found " + outcome));
            }
        } catch (HoldfastException e) {
            counted.failure(e);
            TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        }
    }

    private void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }
}
