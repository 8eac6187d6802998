package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Why whoever has a token enters before it reads. */
@Timeout(60)
class LostUpdateTest {
    /** What one finds in many a book: the token is compared when something is written, and at no other time. */
    private static final class WriteOnlyCheck {
        private long highest;
        private long value = 5;

        boolean write(long token, long to) {
            if (token < highest) {
                return false;
            }
            highest = token;
            value = to;
            return true;
        }
    }

    /**
     * A has token 33 and was stopped before it wrote. B has 34 and reads. A wakes up and writes: 33 is the highest that
     * was ever written with. B writes what it made of what it read.
     */
    @Test
    void check_on_writes_alone_loses_an_update() {
        WriteOnlyCheck store = new WriteOnlyCheck();
        long readByA = store.value;
        long readByB = store.value;
        assertThat(store.write(33, readByA + 1))
                .as("A is told that its write counts")
                .isTrue();
        assertThat(store.write(34, readByB + 1)).isTrue();
        assertThat(store.value)
                .as("two updates were acknowledged, one is there")
                .isEqualTo(6);
    }

    @Test
    void entering_loses_none() {
        MemoryGuard guard = new MemoryGuard();
        AtomicLong value = new AtomicLong(5);
        long readByA = guard.enter(Access.exclusive("x", 33), entry -> value.get());
        long readByB = guard.enter(Access.exclusive("x", 34), entry -> value.get());
        assertThatThrownBy(() -> guard.enter(Access.exclusive("x", 33), entry -> {
                    value.set(readByA + 1);
                    return entry;
                }))
                .isInstanceOf(StaleTokenException.class);
        guard.enter(Access.exclusive("x", 34), entry -> {
            value.set(readByB + 1);
            return entry;
        });
        assertThat(value).as("one update was acknowledged, and is there").hasValue(6);
    }

    /** Threads read, dawdle and write; each has got the lock anew, and believes in it for too long. */
    @Test
    void no_acknowledged_update_is_lost_whatever_the_threads_do() throws Exception {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        MemoryGuard guard = new MemoryGuard();
        AtomicLong tokens = new AtomicLong();
        AtomicLong value = new AtomicLong();
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Random random = new Random(seed + i);
            FutureTask<Integer> task = new FutureTask<>(() -> add(guard, tokens, value, random));
            Thread thread = new Thread(task, "holder-" + i);
            thread.setDaemon(true);
            thread.start();
            tasks.add(task);
        }
        long acknowledged = 0;
        for (FutureTask<Integer> task : tasks) {
            acknowledged += task.get();
        }
        assertThat(value).as("seed %d", seed).hasValue(acknowledged);
        assertThat(acknowledged).as("seed %d: some must get through", seed).isPositive();
    }

    private static int add(MemoryGuard guard, AtomicLong tokens, AtomicLong value, Random random) {
        int acknowledged = 0;
        for (int i = 0; i < 2_000; i++) {
            Access access = Access.exclusive("x", tokens.incrementAndGet());
            try {
                long read = guard.enter(access, entry -> value.get());
                if (random.nextInt(4) == 0) {
                    LockSupport.parkNanos(random.nextInt(50_000));
                }
                acknowledged += guard.enter(access, entry -> {
                    value.set(read + 1);
                    return 1;
                });
            } catch (StaleTokenException e) {
                // Somebody else has the lock by now.
            }
        }
        return acknowledged;
    }
}
