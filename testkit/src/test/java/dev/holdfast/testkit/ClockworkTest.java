package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ClockworkTest {
    private final World world = new World(1, Trace.hashed());
    private final CompletableFuture<Boolean> alarm = new CompletableFuture<>();
    private final Clockwork clockwork = new Clockwork(world, () -> alarm.complete(true));

    @AfterEach
    void close() {
        clockwork.close();
    }

    @Test
    void what_is_due_in_a_jump_happens_in_order_and_before_it_is_over() {
        List<String> happened = new ArrayList<>();
        world.after(TimeUnit.MINUTES.toNanos(2), () -> happened.add("second"));
        world.after(TimeUnit.MINUTES.toNanos(1), () -> {
            happened.add("first");
            world.after(TimeUnit.MINUTES.toNanos(2), () -> happened.add("last"));
        });
        clockwork.start();
        clockwork.advance(Duration.ofMinutes(4), () -> happened.add("before"), () -> happened.add("after"));
        assertThat(happened).containsExactly("before", "first", "second", "last", "after");
    }

    @Test
    void time_goes_on_by_itself() {
        CompletableFuture<Boolean> later = new CompletableFuture<>();
        world.after(TimeUnit.MILLISECONDS.toNanos(20), () -> later.complete(true));
        clockwork.start();
        assertThat(later.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
    }

    @Test
    void failure_in_the_world_is_told_to_all_who_wait_and_ask() {
        RuntimeException bug = new RuntimeException("planted");
        world.after(TimeUnit.MINUTES.toNanos(1), () -> {
            throw bug;
        });
        clockwork.start();
        assertThatThrownBy(() -> clockwork.advance(Duration.ofMinutes(2), () -> {}, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(bug);
        assertThat(alarm.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
        assertThatThrownBy(() -> clockwork.call(() -> 1)).hasCause(bug);
        assertThat(clockwork.post(() -> {})).isFalse();
    }

    @Test
    void its_own_thread_is_refused_what_it_would_wait_for_itself() {
        clockwork.start();
        assertThatThrownBy(() -> clockwork.call(() -> clockwork.call(() -> 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("give callbacks(Executor) one that has threads of its own");
    }

    @Test
    void exception_of_a_task_goes_to_who_asked_and_time_goes_on() {
        clockwork.start();
        RuntimeException wrong = new IllegalArgumentException("wrong");
        assertThatThrownBy(() -> clockwork.call(() -> {
                    throw wrong;
                }))
                .isSameAs(wrong);
        assertThat(clockwork.call(() -> 1)).isEqualTo(1);
    }
}
