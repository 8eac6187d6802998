package dev.holdfast.simulator.world;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulated process, as an event loop: tasks one after the other, each some time after it was given.
 *
 * <p>How long that takes is left to chance, so that the threads of a process overtake each other.
 */
public final class Loop extends AbstractEventExecutor implements EventLoop {
    private static final int MAX_PAUSE_NANOS = 100_000;

    private final SimulatedProcess process;
    private final RandomGenerator chance;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean planned;
    private boolean running;

    public Loop(SimulatedProcess process) {
        this.process = process;
        this.chance = process.world().chance();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        plan();
    }

    private void plan() {
        if (!planned && !running) {
            planned = true;
            process.arrive(chance.nextInt(MAX_PAUSE_NANOS), this::turn);
        }
    }

    private void turn() {
        planned = false;
        running = true;
        try {
            for (int left = tasks.size(); left > 0; left--) {
                tasks.remove().run();
            }
        } finally {
            running = false;
        }
        if (!tasks.isEmpty()) {
            plan();
        }
    }

    @Override
    public boolean inEventLoop() {
        return running;
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return running;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(Executors.callable(task), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        Timer<V> timer = new Timer<>(task, 0);
        timer.plan(unit.toNanos(delay));
        return timer;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        Timer<?> timer = new Timer<>(Executors.callable(task), unit.toNanos(period));
        timer.plan(unit.toNanos(first));
        return timer;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        return scheduleAtFixedRate(task, first, delay, unit);
    }

    private final class Timer<V> extends DefaultPromise<V> implements ScheduledFuture<V> {
        private final Callable<V> task;
        private final long periodNanos;

        Timer(Callable<V> task, long periodNanos) {
            super(GlobalEventExecutor.INSTANCE);
            this.task = task;
            this.periodNanos = periodNanos;
        }

        void plan(long nanos) {
            var unused = process.schedule(nanos, () -> execute(this::fire));
        }

        private void fire() {
            if (isCancelled()) {
                return;
            }
            V value;
            try {
                value = task.call();
            } catch (Exception e) {
                throw new IllegalStateException("a task of " + process.name() + " failed", e);
            }
            if (periodNanos > 0) {
                plan(periodNanos);
            } else {
                var unused = trySuccess(value); // unless it took itself back
            }
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException("nobody asks");
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException("nobody asks");
        }
    }

    // What nobody here needs -------------------------------------------------------------------------

    @Override
    public EventLoop next() {
        return this;
    }

    @Override
    public @Nullable EventLoopGroup parent() {
        return null;
    }

    @Override
    public ChannelFuture register(Channel channel) {
        throw new UnsupportedOperationException("no channels here");
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        throw new UnsupportedOperationException("no channels here");
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        throw new UnsupportedOperationException("no channels here");
    }

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public Future<?> shutdownGracefully(long quiet, long timeout, TimeUnit unit) {
        throw new UnsupportedOperationException("it ends with its process");
    }

    @Override
    public Future<?> terminationFuture() {
        throw new UnsupportedOperationException("it ends with its process");
    }

    @Override
    @Deprecated
    public void shutdown() {
        throw new UnsupportedOperationException("it ends with its process");
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
