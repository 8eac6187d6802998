package dev.holdfast.chaos;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.UnlockRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Clients that acquire and release for as long as they are let, whatever happens to the servers: a call that fails is
 * made again, elsewhere, with the same request id.
 */
final class Load {
    private static final long TTL_MILLIS = 60_000;
    private static final long WAIT_MILLIS = 1_000;
    private static final long RETRY_NANOS = 20_000_000;
    private static final long HOLD_NANOS = 500_000;

    private final Clients clients;
    private final List<String> addresses;
    private final int keys;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Grant> grants = new ConcurrentLinkedQueue<>();
    private final Queue<Grant> releases = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;

    /** Something a client was told, and when it was told. */
    record Grant(String key, long token, long toldNanos) {}

    Load(Clients clients, List<String> addresses, int workers, int keys) {
        this.clients = clients;
        this.addresses = List.copyOf(addresses);
        this.keys = keys;
        SplittableRandom seeds = new SplittableRandom(new SecureRandom().nextLong());
        for (int i = 0; i < workers; i++) {
            Worker worker = new Worker("worker-" + i, seeds.split());
            threads.add(new Thread(worker, worker.name));
        }
    }

    Load start() {
        threads.forEach(Thread::start);
        return this;
    }

    /** Grants that clients were told of. */
    Queue<Grant> grants() {
        return grants;
    }

    /** Releases that were acknowledged. */
    Queue<Grant> releases() {
        return releases;
    }

    /** Answers that no client should ever get. */
    Queue<Throwable> faults() {
        return faults;
    }

    /** Stops after what is under way. */
    void stop() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private final class Worker implements Runnable {
        private final String name;
        private final SplittableRandom random;
        private final long lease = new SecureRandom().nextLong() | 1;
        private int address;
        private long seq;

        Worker(String name, SplittableRandom random) {
            this.name = name;
            this.random = random;
            this.address = random.nextInt(addresses.size());
        }

        @Override
        public void run() {
            try {
                LeaseGrantRequest grant = LeaseGrantRequest.newBuilder()
                        .setId(lease)
                        .setTtlMs(TTL_MILLIS)
                        .setClientId(name)
                        .build();
                if (insist(stub -> stub.leaseGrant(grant)) == null) {
                    return;
                }
                while (!stopping) {
                    once("load/" + random.nextInt(keys));
                }
            } catch (RuntimeException | Error e) {
                faults.add(e);
            }
        }

        private void once(String key) {
            LockRequest request = LockRequest.newBuilder()
                    .setName(key)
                    .setLeaseId(lease)
                    .setSeq(++seq)
                    .setAckedBelow(seq)
                    .setTimeoutMs(WAIT_MILLIS)
                    .build();
            LockResponse response = insist(stub -> stub.lock(request));
            if (response == null) {
                return;
            }
            if (!response.getAcquired()) {
                if (response.getCode() != Code.TIMEOUT) {
                    faults.add(new AssertionError(response.toString()));
                }
                return;
            }
            long token = response.getFencingToken();
            grants.add(new Grant(key, token, System.nanoTime()));
            LockSupport.parkNanos(HOLD_NANOS);
            UnlockRequest release = UnlockRequest.newBuilder()
                    .setName(key)
                    .setLeaseId(lease)
                    .setFencingToken(token)
                    .setAckedBelow(seq + 1)
                    .build();
            if (insist(stub -> stub.unlock(release)) != null) {
                releases.add(new Grant(key, token, System.nanoTime()));
            }
        }

        /** Makes the call until there is an answer; nothing if the load is being stopped before there is one. */
        private <T> @Nullable T insist(Function<LockServiceBlockingStub, T> call) {
            while (true) {
                try {
                    return call.apply(clients.locks(addresses.get(address)));
                } catch (StatusRuntimeException e) {
                    Status.Code code = e.getStatus().getCode();
                    boolean passing = code == Status.Code.UNAVAILABLE
                            || code == Status.Code.DEADLINE_EXCEEDED
                            || code == Status.Code.CANCELLED
                            || (code == Status.Code.UNKNOWN && Errors.of(e).isEmpty());
                    if (!passing) {
                        throw e;
                    }
                    if (stopping) {
                        return null;
                    }
                    address = (address + 1) % addresses.size();
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        }
    }
}
