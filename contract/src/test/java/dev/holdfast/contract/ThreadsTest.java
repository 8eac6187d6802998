package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a grant is, and on what threads locks can be waited for. */
@SuppressWarnings("LockNotBeforeTry") // what becomes of a lock after a failed test is of no interest
class ThreadsTest {
    /** More than any machine of ours has cores: were a carrier thread kept by each wait, they could not all wait. */
    private static final int MANY = 300;

    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;
    private static HoldfastClient client;

    /** Guarded by the locks of the tests alone: that is what they show. */
    private int passed;

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.start(root, 1);
        operator = new Operator(cluster);
        client = HoldfastClient.create(cluster.endpoints());
    }

    @AfterAll
    static void stop() {
        client.close();
        operator.close();
        cluster.close();
    }

    @Test
    void behaviour_33_any_thread_may_release_a_grant() throws Exception {
        try (OtherThread other = new OtherThread()) {
            Grant mine = client.lock("handed").acquire();
            assertThat(other.get(mine::release)).isEqualTo(Grant.Outcome.RELEASED);
            Grant theirs = other.get(() -> client.lock("handed").acquire());
            assertThat(theirs.token()).isGreaterThan(mine.token());
            assertThat(theirs.isValid()).isTrue();
            theirs.close();
            operator.awaitNoLocks("handed");
        }
    }

    @Test
    void behaviour_33_any_thread_may_release_a_grant_and_virtual_threads_work() throws Exception {
        ExecutorService virtual = virtualThreads();
        try {
            Grant grant = virtual.submit(() -> client.lock("virtual").acquire()).get();
            List<Future<?>> waiting = IntStream.range(0, MANY)
                    .<Future<?>>mapToObj(i -> virtual.submit(this::passOnGrant))
                    .toList();
            operator.awaitWaiters("virtual", MANY);
            grant.close();
            for (Future<?> one : waiting) {
                OtherThread.result(one);
            }
            assertThat(passed).isEqualTo(MANY);
        } finally {
            virtual.shutdownNow();
        }
    }

    private Grant.Outcome passOnGrant() throws InterruptedException {
        Grant grant = client.lock("virtual").acquire();
        passed++;
        return grant.release();
    }

    @Test
    void behaviour_33_virtual_threads_wait_in_the_views_without_keeping_a_carrier() throws Exception {
        ExecutorService virtual = virtualThreads();
        try {
            Lock lock = client.javaLock("view");
            lock.lock();
            List<Future<Boolean>> waiting = IntStream.range(0, MANY)
                    .mapToObj(i -> virtual.submit(() -> passTwiceInside(lock)))
                    .toList();
            operator.awaitWaiters("view", MANY);
            lock.unlock();
            for (Future<Boolean> one : waiting) {
                assertThat(OtherThread.result(one)).isTrue();
            }
            assertThat(passed).isEqualTo(MANY);
            operator.awaitNoLocks("view");
        } finally {
            virtual.shutdownNow();
        }
    }

    private boolean passTwiceInside(Lock lock) {
        lock.lock();
        try {
            boolean again = lock.tryLock();
            passed++;
            lock.unlock();
            return again;
        } finally {
            lock.unlock();
        }
    }

    /** By its name: the oldest Java that is supported does not have it. */
    private static ExecutorService virtualThreads() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads come with Java 21");
        try {
            return (ExecutorService) MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class))
                    .invokeExact();
        } catch (Exception e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
