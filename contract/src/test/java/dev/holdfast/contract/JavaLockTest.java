package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.RetryPolicy;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.UnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The rules of {@link Lock}, for a lock of the cluster. */
@SuppressWarnings("LockNotBeforeTry") // what becomes of a lock after a failed test is of no interest
class JavaLockTest {
    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;
    private static HoldfastClient client;
    private static HoldfastClient rival;

    private final OtherThread other = new OtherThread();
    private String key = "";
    private Lock lock;

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.start(root, 1);
        operator = new Operator(cluster);
        client = HoldfastClient.create(cluster.endpoints());
        rival = HoldfastClient.create(cluster.endpoints());
    }

    @AfterAll
    static void stop() {
        client.close();
        rival.close();
        operator.close();
        cluster.close();
    }

    /** A key for each test: none sees what another left. */
    @BeforeEach
    void name(TestInfo test) {
        key = test.getTestMethod().orElseThrow().getName();
        lock = client.javaLock(key);
    }

    @AfterEach
    void end() {
        other.close();
        assertThat(Thread.interrupted()).as("an interrupt that was left behind").isFalse();
    }

    /** To be believed when it says no; what was just released, others may find held for a moment. */
    private boolean isFree() {
        Lock theirs = rival.javaLock(key);
        boolean free = theirs.tryLock();
        if (free) {
            theirs.unlock();
        }
        return free;
    }

    private void awaitFree() {
        await().atMost(Operator.PATIENCE).until(this::isFree);
    }

    @Test
    void behaviour_38_a_java_lock_keeps_out_other_threads_other_clients_and_plain_grants() throws Exception {
        lock.lock();
        assertThat(other.get(() -> client.javaLock(key).tryLock())).isFalse();
        assertThat(isFree()).isFalse();
        assertThat(rival.lock(key).tryAcquire()).isEmpty();
        lock.unlock();
        awaitFree();
    }

    @Test
    void behaviour_38_a_java_lock_is_released_by_the_outermost_unlock_whichever_view_it_was_locked_by() {
        lock.lock();
        client.fencedLock(key).lock();
        assertThat(client.readWriteLock(key).writeLock().tryLock()).isTrue();
        lock.unlock();
        lock.unlock();
        assertThat(isFree()).isFalse();
        lock.unlock();
        awaitFree();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void behaviour_37_lock_restores_the_interrupt_flag_and_never_returns_without_the_lock() throws Exception {
        AtomicBoolean unlocked = new AtomicBoolean();
        lock.lock();
        Future<List<Boolean>> waiting = other.begin(() -> {
            lock.lock();
            boolean inTurn = unlocked.get();
            boolean flag = Thread.interrupted();
            lock.unlock();
            return List.of(inTurn, flag);
        });
        operator.awaitWaiters(key, 1);
        other.thread().interrupt();
        // The wait has taken notice when the flag is down.
        await().atMost(Operator.PATIENCE).until(() -> !other.thread().isInterrupted());
        assertThat(operator.lock(key).getWaiterCount()).isOne();
        unlocked.set(true);
        lock.unlock();
        assertThat(OtherThread.result(waiting)).containsExactly(true, true);
    }

    @Test
    void behaviour_37_lock_and_try_lock_leave_a_flag_alone_that_was_set_before() {
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();
        lock.unlock();

        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        lock.unlock();
    }

    @Test
    void behaviour_37_lock_throws_rather_than_returns_when_there_is_no_cluster() {
        try (HoldfastClient lost = HoldfastClient.builder("127.0.0.1:1")
                .retry(RetryPolicy.DEFAULT.patience(Duration.ofMillis(200)))
                .build()) {
            Lock nowhere = lost.javaLock(key);
            Thread.currentThread().interrupt();
            assertThatThrownBy(nowhere::lock).isInstanceOf(UnavailableException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(nowhere::tryLock).isInstanceOf(UnavailableException.class);
            assertThatThrownBy(nowhere::unlock).isInstanceOf(IllegalMonitorStateException.class);
        }
    }

    @Test
    void an_interruptible_lock_throws_for_a_flag_that_was_set_before_even_to_one_who_holds_it() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        awaitFree();

        lock.lock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        lock.unlock();
        awaitFree();
    }

    @Test
    void an_interrupted_wait_leaves_the_queue_and_nothing_behind() throws Exception {
        lock.lock();
        Future<Boolean> waiting = other.start(lock::lockInterruptibly);
        operator.awaitWaiters(key, 1);
        other.thread().interrupt();
        assertThatThrownBy(() -> OtherThread.result(waiting)).isInstanceOf(InterruptedException.class);
        operator.awaitWaiters(key, 0);

        Future<Boolean> timed = other.begin(() -> lock.tryLock(1, TimeUnit.HOURS));
        operator.awaitWaiters(key, 1);
        other.thread().interrupt();
        assertThatThrownBy(() -> OtherThread.result(timed)).isInstanceOf(InterruptedException.class);
        operator.awaitWaiters(key, 0);

        lock.unlock();
        operator.awaitNoLocks(key);
    }

    @Test
    void a_timed_try_gives_up_in_time_or_gets_what_is_released_in_time() throws Exception {
        lock.lock();
        assertThat(other.get(() -> lock.tryLock(20, TimeUnit.MILLISECONDS))).isFalse();
        assertThat(other.get(() -> lock.tryLock(0, TimeUnit.SECONDS))).isFalse();
        assertThat(other.get(() -> lock.tryLock(Long.MIN_VALUE, TimeUnit.SECONDS)))
                .isFalse();
        Future<Boolean> waiting = other.begin(() -> lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
        operator.awaitWaiters(key, 1);
        lock.unlock();
        assertThat(OtherThread.result(waiting)).isTrue();
        assertThat(isFree()).isFalse();
        other.run(lock::unlock);
        awaitFree();
    }

    @Test
    void a_timed_try_throws_for_a_flag_that_was_set_before() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        awaitFree();
    }

    @Test
    void only_the_thread_that_holds_it_may_unlock() throws Exception {
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(key);
        lock.lock();
        assertThatThrownBy(() -> other.run(lock::unlock)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(isFree()).isFalse();
        lock.unlock();
    }

    @Test
    void who_came_first_is_first_between_clients_and_threads() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        lock.lock();
        try (OtherThread third = new OtherThread()) {
            Future<Boolean> first = other.start(() -> pass(rival.javaLock(key), "rival", order));
            operator.awaitWaiters(key, 1);
            Future<Boolean> second = third.start(() -> pass(client.javaLock(key), "same client", order));
            operator.awaitWaiters(key, 2);
            lock.unlock();
            lock.lock();
            order.add("the holder again");
            lock.unlock();
            OtherThread.result(first);
            OtherThread.result(second);
        }
        assertThat(order).containsExactly("rival", "same client", "the holder again");
    }

    private static void pass(Lock lock, String who, List<String> order) {
        lock.lock();
        order.add(who);
        lock.unlock();
    }

    @Test
    void a_hold_that_was_taken_away_cannot_be_entered_again_and_its_last_unlock_cleans_up() {
        lock.lock();
        lock.lock();
        operator.takeAway(key);
        await().atMost(Operator.PATIENCE)
                .pollInSameThread()
                .untilAsserted(() ->
                        assertThatThrownBy(client.fencedLock(key)::getFence).isInstanceOf(LockLostException.class));
        awaitFree();
        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class).hasMessageContaining("it is stuck");
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThat(isFree()).isFalse();
        lock.unlock();
        awaitFree();
    }

    @Test
    void what_a_closed_client_held_is_lost_and_free_for_others() {
        HoldfastClient brief = HoldfastClient.create(cluster.endpoints());
        Lock theirs = brief.javaLock(key);
        theirs.lock();
        brief.close();
        assertThatThrownBy(theirs::unlock).isInstanceOf(LockLostException.class).hasMessageContaining("SESSION_CLOSED");
        assertThatThrownBy(theirs::lock).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(brief.fencedLock(key)::isLocked).isInstanceOf(UnavailableException.class);
        awaitFree();
    }

    @Test
    void behaviour_23_locks_that_were_used_once_leave_nothing_in_the_cluster() {
        for (int i = 0; i < 500; i++) {
            Lock once = client.javaLock(key + "/" + i);
            once.lock();
            once.unlock();
        }
        operator.awaitNoLocks(key);
    }

    @Test
    void behaviour_38_conditions_are_unsupported_and_the_message_says_what_to_do() {
        assertThatThrownBy(lock::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("semaphore");
    }
}
