package dev.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();
    private int count;
    private int flushed;

    private void task() {
        mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
        count++; // not atomic: only one thread at a time may be here
        inside.decrementAndGet();
    }

    @Test
    void tasks_of_many_threads_run_one_at_a_time_and_none_is_lost() throws Exception {
        SerialExecutor executor = new SerialExecutor(() -> flushed = count, task -> false);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    executor.run(this::task);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(count).isEqualTo(160_000);
        assertThat(flushed).isEqualTo(count);
        assertThat(mostInside).hasValue(1);
    }

    @Test
    void a_task_that_brings_another_sees_it_run_after_itself() {
        List<String> order = new ArrayList<>();
        SerialExecutor executor = new SerialExecutor(() -> order.add("flush"), task -> false);
        executor.run(() -> {
            executor.run(() -> order.add("second"));
            order.add("first");
        });
        assertThat(order).containsExactly("first", "second", "flush");
    }

    @Test
    void a_task_that_fails_does_not_stop_those_after_it() {
        List<String> order = new ArrayList<>();
        SerialExecutor executor = new SerialExecutor(() -> {}, task -> false);
        executor.run(() -> {
            throw new IllegalStateException("a bug");
        });
        executor.run(() -> order.add("next"));
        assertThat(order).containsExactly("next");
    }

    @Test
    void whoever_has_run_many_tasks_leaves_the_rest_to_the_spare_thread() {
        List<Runnable> left = new ArrayList<>();
        SerialExecutor executor = new SerialExecutor(() -> {}, left::add);
        executor.run(() -> {
            for (int i = 0; i < 2_500; i++) {
                executor.run(this::task);
            }
        });
        assertThat(count).isLessThan(2_500);
        while (!left.isEmpty()) {
            left.remove(0).run();
        }
        assertThat(count).isEqualTo(2_500);
    }

    @Test
    void spare_thread_that_takes_all_starts_every_run_while_it_runs() {
        List<Runnable> given = new ArrayList<>();
        boolean[] stopped = {false};
        SerialExecutor executor = new SerialExecutor(() -> {}, new SerialExecutor.SpareThread() {
            @Override
            public boolean run(Runnable task) {
                return !stopped[0] && given.add(task);
            }

            @Override
            public boolean takesAll() {
                return true;
            }
        });
        executor.run(this::task);
        executor.run(this::task);
        assertThat(count).isZero();
        assertThat(given).as("one run for both").hasSize(1);
        given.remove(0).run();
        assertThat(count).isEqualTo(2);
        stopped[0] = true;
        executor.run(this::task);
        assertThat(count).isEqualTo(3);
    }
}
