package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.simulator.check.LinearizabilityChecker;
import dev.holdfast.simulator.check.LockInput;
import dev.holdfast.simulator.check.LockModel;
import dev.holdfast.simulator.check.LockOutput;
import dev.holdfast.simulator.check.Operation;
import dev.holdfast.simulator.check.Verdict;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that try, release and look, and write down when they asked, when they were answered, and what: a history for
 * the linearizability check. An operation lasts from its first attempt to its answer, however often it is retried.
 */
final class RecordedLoad {
    private static final long TTL_MILLIS = 3_600_000; // outlives any test: nothing here renews

    private final Queue<Operation<LockInput, LockOutput>> history = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile String prefix = "recorded/";
    private volatile long restNanos = Load.REST_NANOS;
    private volatile boolean stopping;

    RecordedLoad(Clients clients, List<String> addresses, int workers, int keys) {
        SplittableRandom seeds = new SplittableRandom(new SecureRandom().nextLong());
        for (int i = 0; i < workers; i++) {
            Worker worker = new Worker("recorder-" + i, seeds.split(), new Insistence(clients, addresses), keys);
            threads.add(new Thread(worker, worker.name));
        }
    }

    /** Takes keys that begin like this instead: a history starts with keys that nobody holds. */
    RecordedLoad under(String keyPrefix) {
        prefix = keyPrefix;
        return this;
    }

    /** Rests so long between two operations of a client. */
    RecordedLoad resting(Duration rest) {
        restNanos = rest.toNanos();
        return this;
    }

    RecordedLoad start() {
        threads.forEach(Thread::start);
        return this;
    }

    void stop() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    int size() {
        return history.size();
    }

    /** What the clients saw can be explained by some order of what they asked for. */
    void assertLinearizable() {
        assertThat(faults).isEmpty();
        Verdict verdict = new LinearizabilityChecker<>(new LockModel()).check(List.copyOf(history));
        assertThat(verdict)
                .as(() -> verdict instanceof Verdict.NotLinearizable not ? not.excerpt() : "")
                .isInstanceOf(Verdict.Linearizable.class);
    }

    private final class Worker implements Runnable {
        private final String name;
        private final SplittableRandom random;
        private final Insistence server;
        private final int keys;
        private final long lease = new SecureRandom().nextLong() | 1;
        private long seq;

        Worker(String name, SplittableRandom random, Insistence server, int keys) {
            this.name = name;
            this.random = random;
            this.server = server;
            this.keys = keys;
        }

        @Override
        public void run() {
            try {
                LeaseGrantRequest grant = LeaseGrantRequest.newBuilder()
                        .setId(lease)
                        .setTtlMs(TTL_MILLIS)
                        .setClientId(name)
                        .build();
                server.call(stub -> stub.leaseGrant(grant), () -> false);
                while (!stopping) {
                    server.wander(random);
                    String key = prefix + random.nextInt(keys);
                    if (random.nextInt(3) == 0) {
                        read(key);
                    } else {
                        tryAndRelease(key);
                    }
                    LockSupport.parkNanos(restNanos);
                }
            } catch (RuntimeException | Error e) {
                faults.add(e);
            }
        }

        private void read(String key) {
            GetRequest request = GetRequest.newBuilder().setName(key).build();
            long called = System.nanoTime();
            GetResponse response = call(called, key, new LockInput.Read(), stub -> stub.get(request));
            if (response != null) {
                List<Holder> holders = response.getLock().getHoldersList();
                record(
                        called,
                        key,
                        new LockInput.Read(),
                        holders.isEmpty()
                                ? LockOutput.Holder.NONE
                                : LockOutput.Holder.of(
                                        holders.get(0).getHolderId(),
                                        holders.get(0).getFencingToken()));
            }
        }

        private void tryAndRelease(String key) {
            TryLockRequest request = TryLockRequest.newBuilder()
                    .setName(key)
                    .setLeaseId(lease)
                    .setSeq(++seq)
                    .setAckedBelow(seq)
                    .build();
            long called = System.nanoTime();
            LockInput input = new LockInput.TryAcquire(name);
            TryLockResponse response = call(called, key, input, stub -> stub.tryLock(request));
            if (response == null) {
                return;
            }
            if (!response.getAcquired()) {
                record(called, key, input, new LockOutput.Denied());
                return;
            }
            long token = response.getFencingToken();
            record(called, key, input, new LockOutput.Granted(token));
            UnlockRequest release = UnlockRequest.newBuilder()
                    .setName(key)
                    .setLeaseId(lease)
                    .setFencingToken(token)
                    .setAckedBelow(seq + 1)
                    .build();
            long released = System.nanoTime();
            LockInput giving = new LockInput.Release(name, token);
            // A retry may find its own first attempt done: to the caller it is released either way.
            if (call(released, key, giving, stub -> stub.unlock(release)) != null) {
                record(released, key, giving, new LockOutput.Released());
            }
        }

        private <T> @Nullable T call(long called, String key, LockInput input, Insistence.Call<T> call) {
            T answer = server.call(call, () -> stopping);
            if (answer == null) {
                history.add(Operation.ofUnknownOutcome(key, name, called, input));
            }
            return answer;
        }

        private void record(long called, String key, LockInput input, LockOutput output) {
            history.add(Operation.completed(key, name, called, System.nanoTime(), input, output));
        }
    }
}
