package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.RetryPolicy;
import dev.holdfast.client.api.FencedLock;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.UnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Hazelcast's and Redisson's names for a lock. */
@SuppressWarnings("LockNotBeforeTry") // what becomes of a lock after a failed test is of no interest
class FencedLockTest {
    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;
    private static HoldfastClient client;
    private static HoldfastClient rival;

    private final OtherThread other = new OtherThread();
    private String key = "";
    private FencedLock lock;
    private FencedLock theirs;

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

    @BeforeEach
    void name(TestInfo test) {
        key = test.getTestMethod().orElseThrow().getName();
        lock = client.fencedLock(key);
        theirs = rival.fencedLock(key);
    }

    @AfterEach
    void end() {
        other.close();
    }

    @Test
    void behaviour_38_fences_grow_from_holder_to_holder_and_stay_for_a_re_entry() throws Exception {
        long first = lock.lockAndGetFence();
        assertThat(first).isGreaterThan(FencedLock.INVALID_FENCE);
        assertThat(lock.lockAndGetFence()).isEqualTo(first);
        assertThat(lock.tryLockAndGetFence()).isEqualTo(first);
        assertThat(lock.tryLockAndGetFence(1, TimeUnit.SECONDS)).isEqualTo(first);
        assertThat(lock.getFence()).isEqualTo(first);
        assertThat(lock.getLockCount()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            lock.unlock();
        }
        long second = theirs.lockAndGetFence();
        theirs.unlock();
        long third = lock.tryLockAndGetFence(1, TimeUnit.HOURS);
        lock.unlock();
        long fourth;
        try (Grant grant = rival.lock(key).acquire()) {
            fourth = grant.token();
        }
        long fifth = lock.lockAndGetFence();
        lock.unlock();
        assertThat(new long[] {first, second, third, fourth, fifth}).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void behaviour_38_a_lock_that_is_not_to_be_had_gives_the_invalid_fence() throws Exception {
        theirs.lock();
        assertThat(lock.tryLockAndGetFence()).isEqualTo(FencedLock.INVALID_FENCE);
        assertThat(lock.tryLockAndGetFence(10, TimeUnit.MILLISECONDS)).isEqualTo(FencedLock.INVALID_FENCE);
        assertThat(lock.tryLock(10, -1, TimeUnit.MILLISECONDS)).isFalse();
        theirs.unlock();
    }

    @Test
    void only_the_thread_that_holds_it_has_a_fence() throws Exception {
        assertThatThrownBy(lock::getFence).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThatThrownBy(() -> other.get(lock::getFence)).isInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
        assertThatThrownBy(lock::getFence).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void everybody_sees_that_it_is_locked_and_the_holder_how_often() throws Exception {
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.getLockCount()).isZero();
        lock.lock();
        lock.lock();
        assertThat(lock.isLocked()).isTrue();
        assertThat(lock.isLockedByCurrentThread()).isTrue();
        assertThat(lock.getLockCount()).isEqualTo(2);
        assertThat(other.get(lock::isLocked)).isTrue();
        assertThat(other.get(lock::isLockedByCurrentThread)).isFalse();
        assertThat(other.get(lock::getLockCount)).isOne();
        assertThat(theirs.isLocked()).isTrue();
        assertThat(theirs.isLockedByCurrentThread()).isFalse();
        lock.unlock();
        lock.unlock();
        assertThat(lock.isLockedByCurrentThread()).isFalse();
        // The release goes out at once and is answered later; by the other connection it is seen soon.
        await().atMost(Operator.PATIENCE).until(() -> !theirs.isLocked());
    }

    @Test
    void whether_it_is_locked_any_node_can_say_and_without_one_nobody() {
        RetryPolicy hasty = RetryPolicy.DEFAULT.patience(Duration.ofMillis(200));
        theirs.lock();
        try (HoldfastClient halfBlind = HoldfastClient.builder("127.0.0.1:1," + cluster.endpoints())
                        .retry(hasty)
                        .build();
                HoldfastClient blind =
                        HoldfastClient.builder("127.0.0.1:1").retry(hasty).build()) {
            assertThat(halfBlind.fencedLock(key).isLocked()).isTrue();
            assertThatThrownBy(blind.fencedLock(key)::isLocked)
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("127.0.0.1:1");
        }
        theirs.unlock();
    }

    @Test
    void behaviour_38_a_lease_time_ends_the_hold_by_itself_and_the_next_in_the_queue_gets_it() throws Exception {
        assertThat(lock.tryLock(0, 300, TimeUnit.SECONDS)).isTrue();
        long fence = lock.getFence();
        lock.unlock();
        assertThat(lock.tryLock(1_000, 200, TimeUnit.MILLISECONDS)).isTrue();
        Future<Long> next = other.begin(theirs::lockAndGetFence);
        assertThat(OtherThread.result(next)).isGreaterThan(fence);
        assertThatThrownBy(lock::getFence).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock.tryLock(0, 200, TimeUnit.MILLISECONDS)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        other.run(theirs::unlock);
        assertThat(lock.tryLock(10_000, -1, TimeUnit.MILLISECONDS)).isTrue();
        lock.unlock();
    }

    @Test
    void a_re_entry_with_a_lease_time_is_under_the_terms_of_the_hold() throws Exception {
        lock.lock();
        assertThat(lock.tryLock(0, 1, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(operator.lock(key).getHolders(0).getHoldEndMs()).isZero();
        lock.unlock();
        lock.unlock();
    }

    @Test
    void a_lease_time_that_is_none_is_refused_by_name_and_one_without_end_is_taken() throws Exception {
        assertThatThrownBy(() -> lock.tryLock(0, 0, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leaseTime")
                .hasMessageContaining("is 0 SECONDS");
        assertThatThrownBy(() -> lock.tryLock(0, -2, TimeUnit.SECONDS)).isInstanceOf(IllegalArgumentException.class);
        assertThat(lock.isLockedByCurrentThread()).isFalse();
        assertThat(lock.tryLock(Long.MAX_VALUE, Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
    }

    @Test
    void whoever_asks_before_unlocking_is_told_of_the_loss_and_can_lock_anew() {
        lock.lock();
        operator.takeAway(key);
        await().atMost(Operator.PATIENCE)
                .pollInSameThread()
                .untilAsserted(() -> assertThatThrownBy(lock::getFence).isInstanceOf(LockLostException.class));
        assertThatThrownBy(lock::isLocked).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::getLockCount).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::lockAndGetFence).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::isLockedByCurrentThread).isInstanceOf(LockLostException.class);
        assertThat(lock.lockAndGetFence()).isGreaterThan(FencedLock.INVALID_FENCE);
        assertThat(lock.isLockedByCurrentThread()).isTrue();
        lock.unlock();
    }
}
