package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.client.HoldfastClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers and writers of two clients, interrupted at any moment. */
@SuppressWarnings("LockNotBeforeTry") // what becomes of a lock after a failed test is of no interest
class InterruptedViewsTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 150;
    private static final String KEY = "shaken";

    @TempDir
    Path root;

    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();

    @Test
    @Timeout(120)
    void behaviour_17_interrupts_at_any_moment_let_nobody_in_wrongly_and_leave_nothing_behind() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        List<OtherThread> threads = new ArrayList<>();
        try (LocalCluster cluster = LocalCluster.start(root, 1);
                Operator operator = new Operator(cluster);
                HoldfastClient client = HoldfastClient.create(cluster.endpoints());
                HoldfastClient rival = HoldfastClient.create(cluster.endpoints())) {
            List<Future<Boolean>> working = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                OtherThread thread = new OtherThread();
                threads.add(thread);
                ReadWriteLock lock = (i % 2 == 0 ? client : rival).readWriteLock(KEY);
                Random random = new Random(seed + i);
                working.add(thread.start(() -> work(lock, random)));
            }
            Random random = new Random(seed - 1);
            while (!working.stream().allMatch(Future::isDone)) {
                threads.get(random.nextInt(THREADS)).thread().interrupt();
                // So that some calls are interrupted and some are not.
                TimeUnit.MICROSECONDS.sleep(random.nextInt(1_000));
            }
            for (Future<Boolean> one : working) {
                OtherThread.result(one);
            }
            operator.awaitNoLocks(KEY);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("with -Dseed=" + seed, e);
        } finally {
            threads.forEach(OtherThread::close);
        }
    }

    private void work(ReadWriteLock lock, Random random) {
        for (int i = 0; i < ROUNDS; i++) {
            boolean reads = random.nextInt(3) == 0;
            Lock mode = reads ? lock.readLock() : lock.writeLock();
            if (enters(mode, random.nextInt(4))) {
                if (reads) {
                    read();
                } else {
                    write(lock.readLock());
                }
                mode.unlock();
            }
        }
    }

    private static boolean enters(Lock lock, int way) {
        try {
            switch (way) {
                case 0 -> lock.lock();
                case 1 -> lock.lockInterruptibly();
                case 2 -> {
                    return lock.tryLock();
                }
                default -> {
                    return lock.tryLock(1, TimeUnit.MILLISECONDS);
                }
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void read() {
        readers.incrementAndGet();
        assertThat(writers.get()).isZero();
        readers.decrementAndGet();
    }

    private void write(Lock alsoRead) {
        assertThat(writers.incrementAndGet()).isOne();
        assertThat(readers.get()).isZero();
        alsoRead.lock();
        writers.decrementAndGet();
        alsoRead.unlock();
    }
}
