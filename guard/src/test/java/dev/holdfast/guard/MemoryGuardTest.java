package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that come and go under tokens, old and new. */
@Timeout(60)
class MemoryGuardTest {
    private final MemoryGuard guard = new MemoryGuard();

    @Test
    void stale_access_is_refused_with_both_tokens_and_does_nothing() {
        guard.enter(Access.exclusive("a", 34));
        assertThatThrownBy(() -> guard.enter(Access.exclusive("a", 33), entry -> {
                    throw new AssertionError("was let in");
                }))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.key()).isEqualTo("a");
                    assertThat(stale.presented()).isEqualTo(33);
                    assertThat(stale.highest()).isEqualTo(34);
                })
                .hasMessageContainingAll("'a'", "33", "34");
        guard.enter(Access.exclusive("b", 33));
    }

    @Test
    void newer_holder_waits_for_the_older_one_inside_and_lets_no_more_older_ones_in() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        FutureTask<?> older = inside(Access.exclusive("a", 33), leave, order, "older");
        FutureTask<?> newer = start(() -> guard.enter(Access.exclusive("a", 34), entry -> order.add("newer")));
        await().until(() -> refuses(Access.exclusive("a", 33)));
        assertThat(order).isEmpty();
        leave.countDown();
        older.get();
        newer.get();
        assertThat(order).containsExactly("older", "newer");
    }

    @Test
    void whoever_waits_to_enter_and_is_overtaken_by_a_newer_one_is_refused() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        FutureTask<?> oldest = inside(Access.exclusive("a", 33), leave, new CopyOnWriteArrayList<>(), "oldest");
        FutureTask<?> middle = start(() -> guard.enter(Access.exclusive("a", 34)));
        await().until(() -> refuses(Access.exclusive("a", 33)));
        FutureTask<?> newest = start(() -> guard.enter(Access.exclusive("a", 35)));
        await().until(() -> refuses(Access.exclusive("a", 34)));
        leave.countDown();
        oldest.get();
        newest.get();
        assertThatThrownBy(middle::get).hasCauseInstanceOf(StaleTokenException.class);
    }

    @Test
    void readers_are_inside_together_and_so_are_different_permits() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        FutureTask<?> reader = inside(Access.shared("a", 33), leave, new CopyOnWriteArrayList<>(), "reader");
        guard.enter(Access.shared("a", 34));
        FutureTask<?> permit = inside(Access.permit("b", 33, 0), leave, new CopyOnWriteArrayList<>(), "permit");
        guard.enter(Access.permit("b", 34, 1));
        leave.countDown();
        reader.get();
        permit.get();
    }

    @Test
    void wait_for_an_older_access_ends_and_the_mark_stays_raised() throws Exception {
        MemoryGuard hasty = new MemoryGuard(10, Duration.ofMillis(20));
        CountDownLatch leave = new CountDownLatch(1);
        CountDownLatch in = new CountDownLatch(1);
        FutureTask<?> older = start(() -> hasty.enter(Access.exclusive("a", 33), entry -> {
            in.countDown();
            leave.await();
            return entry;
        }));
        in.await();
        assertThatThrownBy(() -> hasty.enter(Access.exclusive("a", 34)))
                .isInstanceOf(GuardBusyException.class)
                .hasMessageContaining("'a'");
        assertThatThrownBy(() -> hasty.enter(Access.exclusive("a", 33))).isInstanceOf(StaleTokenException.class);
        leave.countDown();
        older.get();
        hasty.enter(Access.exclusive("a", 34));
    }

    @Test
    void numbered_write_that_failed_may_come_again_and_one_that_was_done_is_recognised() throws Exception {
        Access write = Access.exclusive("a", 33).write(1);
        assertThatThrownBy(() -> guard.enter(write, entry -> {
                    throw new IllegalStateException("disk");
                }))
                .hasMessage("disk");
        assertThat(guard.enter(write)).isEqualTo(Entry.NEW);
        assertThat(guard.enter(write)).isEqualTo(Entry.REPEATED);
    }

    @Test
    void repetition_of_a_write_that_is_still_under_way_waits_to_know_what_becomes_of_it() throws Exception {
        Access write = Access.exclusive("a", 33).write(1);
        CountDownLatch leave = new CountDownLatch(1);
        FutureTask<?> first = inside(write, leave, new CopyOnWriteArrayList<>(), "first");
        FutureTask<Entry> again = start(() -> guard.enter(write));
        leave.countDown();
        first.get();
        assertThat(again.get()).isEqualTo(Entry.REPEATED);
    }

    @Test
    void one_key_too_many_is_refused_and_known_ones_go_on() {
        MemoryGuard small = new MemoryGuard(2, Duration.ZERO);
        small.enter(Access.exclusive("a", 1));
        small.enter(Access.exclusive("b", 2));
        assertThatThrownBy(() -> small.enter(Access.exclusive("c", 3)))
                .isInstanceOf(GuardFullException.class)
                .hasMessageContainingAll("'c'", "2 keys");
        small.enter(Access.exclusive("a", 4));
    }

    /** Enters, and stays until told to leave. */
    private FutureTask<?> inside(Access access, CountDownLatch leave, List<String> order, String name)
            throws Exception {
        CountDownLatch in = new CountDownLatch(1);
        FutureTask<?> task = start(() -> guard.enter(access, entry -> {
            in.countDown();
            leave.await();
            return order.add(name);
        }));
        in.await();
        return task;
    }

    private boolean refuses(Access access) {
        try {
            guard.enter(access);
            return false;
        } catch (StaleTokenException e) {
            return true;
        }
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "accessing");
        thread.setDaemon(true);
        thread.start();
        return task;
    }
}
