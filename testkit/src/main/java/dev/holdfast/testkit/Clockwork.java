package dev.holdfast.testkit;

import dev.holdfast.simulator.world.World;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that runs a simulated world. Everything simulated happens on it; other threads hand it their tasks.
 *
 * <p>Virtual time passes at the speed of real time, and faster while somebody advances it. It never has to catch up:
 * while the machine is busy elsewhere, or a debugger holds all threads, it stands still.
 */
final class Clockwork {
    /** So that threads which a jump wakes up come to act within a few hundredths of a second of its time. */
    private static final long FASTEST = 1_000;

    private static final long LONGEST_STEP_NANOS = 10_000_000;
    private static final long REST_NANOS = 500_000;

    private final World world;
    private final Runnable alarm;
    private final Thread thread;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    /** Fails when time ends: nothing more is reached then. */
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private boolean ending;
    private long jumpEnd;

    /**
     * Creates a clockwork that is not running yet.
     *
     * @param alarm run by the thread when something in the world failed and time has therefore ended
     */
    Clockwork(World world, Runnable alarm) {
        this.world = world;
        this.alarm = alarm;
        this.thread = new Thread(this::work, "holdfast-testkit-time");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void work() {
        long last = System.nanoTime();
        while (!end.isDone()) {
            long now = System.nanoTime();
            try {
                step(now - last);
            } catch (RuntimeException | Error e) {
                end(new IllegalStateException("the simulated cluster failed; please report this, with its seed", e));
                alarm.run();
            }
            last = now;
            if (world.now() >= jumpEnd && inbox.isEmpty()) {
                LockSupport.parkNanos(this, REST_NANOS);
            }
        }
        try {
            takeIn(); // nobody is left waiting
        } finally {
            over.complete(true);
        }
    }

    private void step(long realNanos) {
        long ahead = jumpEnd - world.now();
        long wanted = ahead > 0 ? Math.min(ahead, realNanos * FASTEST) : realNanos;
        world.run(Math.min(wanted, LONGEST_STEP_NANOS));
        takeIn();
    }

    private void takeIn() {
        for (Runnable task = inbox.poll(); task != null; task = inbox.poll()) {
            task.run();
        }
    }

    private void end(RuntimeException why) {
        synchronized (inbox) {
            ending = true;
        }
        end.completeExceptionally(why);
    }

    /** Runs a task on the thread; false if time has ended. */
    boolean post(Runnable task) {
        synchronized (inbox) {
            if (ending) {
                return false;
            }
            inbox.add(task);
        }
        LockSupport.unpark(thread);
        return true;
    }

    /** Runs a task on the thread, and waits for it. */
    <T extends @Nullable Object> T call(Supplier<T> task) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("a callback may not run on the thread that keeps the cluster's time: give"
                    + " callbacks(Executor) one that has threads of its own");
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        Runnable attempt = () -> {
            try {
                done.complete(task.get());
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        };
        if (!post(attempt)) {
            await(end);
        }
        return await(done);
    }

    /** Runs {@code first}, lets {@code time} pass immediately, runs {@code then}, and returns. */
    void advance(Duration time, Runnable first, Runnable then) {
        CompletableFuture<Boolean> there = new CompletableFuture<>();
        call(() -> {
            first.run();
            jumpEnd = Math.max(jumpEnd, world.now() + time.toNanos());
            world.after(time.toNanos(), () -> {
                then.run();
                there.complete(true);
            });
            return true;
        });
        await(CompletableFuture.anyOf(there, end));
    }

    /** Not to be interrupted: it never takes long, and an interrupt is often meant for what the test does next. */
    private static <T extends @Nullable Object> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                failure.addSuppressed(new IllegalStateException("the call was made here"));
                throw failure;
            }
            throw e;
        }
    }

    /** Ends time, and the thread. */
    void close() {
        end(new IllegalStateException("the cluster of this test is closed"));
        LockSupport.unpark(thread);
        await(over);
    }
}
