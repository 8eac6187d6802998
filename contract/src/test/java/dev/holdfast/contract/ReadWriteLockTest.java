package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.Mode;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The rules of {@link java.util.concurrent.locks.ReadWriteLock}, for a lock of the cluster. */
@SuppressWarnings("LockNotBeforeTry") // what becomes of a lock after a failed test is of no interest
class ReadWriteLockTest {
    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;
    private static HoldfastClient client;
    private static HoldfastClient rival;

    private final OtherThread other = new OtherThread();
    private String key = "";
    private Lock read;
    private Lock write;
    private Lock theirRead;
    private Lock theirWrite;

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
        read = client.readWriteLock(key).readLock();
        write = client.readWriteLock(key).writeLock();
        theirRead = rival.readWriteLock(key).readLock();
        theirWrite = rival.readWriteLock(key).writeLock();
    }

    @AfterEach
    void end() {
        other.close();
        assertThat(Thread.interrupted()).as("an interrupt that was left behind").isFalse();
    }

    @Test
    void behaviour_38_readers_share_between_threads_and_clients_and_keep_writers_out() throws Exception {
        read.lock();
        assertThat(other.get(() -> read.tryLock())).isTrue();
        assertThat(theirRead.tryLock()).isTrue();
        operator.awaitHolders(key, 3);
        assertThat(other.get(() -> theirWrite.tryLock())).isFalse();
        other.run(read::unlock);
        theirRead.unlock();
        Future<Boolean> writer = other.start(theirWrite::lock);
        operator.awaitWaiters(key, 1);
        read.unlock();
        OtherThread.result(writer);
        assertThat(read.tryLock()).isFalse();
        other.run(theirWrite::unlock);
    }

    @Test
    void no_try_of_a_reader_overtakes_a_writer_that_waits_but_one_who_reads_may_read_again() throws Exception {
        read.lock();
        Future<Boolean> writer = other.start(theirWrite::lock);
        operator.awaitWaiters(key, 1);
        assertThat(theirRead.tryLock()).isFalse();
        assertThat(read.tryLock()).isTrue();
        read.unlock();
        read.unlock();
        OtherThread.result(writer);
        other.run(theirWrite::unlock);
    }

    @Test
    void a_writer_may_read_without_asking_and_keeps_reading_when_it_has_unlocked_the_write_lock() throws Exception {
        write.lock();
        long fence = operator.lock(key).getHolders(0).getFencingToken();
        read.lock();
        assertThat(operator.lock(key).getHoldersCount()).isOne();
        assertThat(theirRead.tryLock()).isFalse();
        write.unlock();

        LockRecord downgraded = operator.lock(key);
        assertThat(downgraded.getHoldersList()).singleElement().satisfies(holder -> {
            assertThat(holder.getFencingToken()).isEqualTo(fence);
            assertThat(holder.getHold().getMode()).isEqualTo(Mode.SHARED);
        });
        assertThat(theirRead.tryLock()).isTrue();
        assertThat(other.get(() -> theirWrite.tryLock())).isFalse();
        theirRead.unlock();
        read.unlock();
        operator.awaitNoLocks(key);
    }

    @Test
    void a_writer_that_unlocks_the_read_lock_first_still_writes() {
        write.lock();
        read.lock();
        read.unlock();
        assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(theirRead.tryLock()).isFalse();
        write.unlock();
        theirRead.lock();
        theirRead.unlock();
    }

    @Test
    void an_interrupted_thread_lets_readers_in_when_it_unlocks_the_write_lock() {
        write.lock();
        read.lock();
        Thread.currentThread().interrupt();
        write.unlock();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(theirRead.tryLock()).isTrue();
        theirRead.unlock();
        read.unlock();
    }

    @Test
    void a_reader_that_wants_to_write_is_refused_rather_than_left_waiting_for_itself() throws Exception {
        read.lock();
        assertThatThrownBy(write::lock).isInstanceOf(DeadlockException.class).hasMessageContaining(key);
        assertThatThrownBy(write::lockInterruptibly).isInstanceOf(DeadlockException.class);
        assertThatThrownBy(() -> write.tryLock(1, TimeUnit.HOURS)).isInstanceOf(DeadlockException.class);
        assertThat(write.tryLock()).isFalse();
        assertThat(write.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThatThrownBy(write::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(theirRead.tryLock()).isTrue();
        theirRead.unlock();
        read.unlock();
        write.lock();
        write.unlock();
    }

    @Test
    void the_cluster_says_so_too_to_a_thread_that_asks_beside_the_views() throws Exception {
        read.lock();
        assertThatThrownBy(() -> client.lock(key).acquire()).isInstanceOf(DeadlockException.class);
        read.unlock();
        try (Grant shared = client.lock(key).shared().acquire()) {
            assertThatThrownBy(write::lock).isInstanceOf(DeadlockException.class);
            assertThat(shared.isValid()).isTrue();
        }
    }

    @Test
    void a_read_lock_that_was_taken_away_says_so_once_and_can_be_locked_anew() {
        read.lock();
        operator.takeAway(key);
        await().atMost(Operator.PATIENCE).pollInSameThread().untilAsserted(() -> {
            // Whichever comes first, the news or the answer: what is still valid can be entered and left.
            assertThatThrownBy(() -> enterAndLeave(read)).isInstanceOf(LockLostException.class);
        });
        assertThatThrownBy(write::tryLock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(read::unlock).isInstanceOf(LockLostException.class);
        read.lock();
        read.unlock();
    }

    private static void enterAndLeave(Lock lock) {
        lock.lock();
        lock.unlock();
    }

    @Test
    void behaviour_37_a_reader_is_not_kept_from_its_lock_by_an_interrupt() throws Exception {
        theirWrite.lock();
        Future<Boolean> reader = other.begin(() -> {
            read.lock();
            boolean flag = Thread.interrupted();
            read.unlock();
            return flag;
        });
        operator.awaitWaiters(key, 1);
        other.thread().interrupt();
        await().atMost(Operator.PATIENCE).until(() -> !other.thread().isInterrupted());
        theirWrite.unlock();
        assertThat(OtherThread.result(reader)).isTrue();
    }

    @Test
    void behaviour_38_neither_mode_has_conditions() {
        assertThatThrownBy(read::newCondition).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(write::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
}
