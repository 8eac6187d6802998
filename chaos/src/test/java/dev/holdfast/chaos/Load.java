package dev.holdfast.chaos;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that acquire and release for as long as they are let, whatever happens to the servers: a call that fails is
 * made again, elsewhere, with the same request id.
 */
final class Load {
    private static final long TTL_MILLIS = 3_600_000; // outlives any test: nothing here renews
    private static final long WAIT_MILLIS = 1_000;
    private static final long HOLD_NANOS = 500_000;
    /** Between two locks of a client: at full speed, the load would keep servers from starting. */
    static final long REST_NANOS = 5_000_000;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Clients clients;
    private final List<String> addresses;
    private final int keys;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Grant> grants = new ConcurrentLinkedQueue<>();
    private final Queue<Grant> releases = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private volatile ByteString metadata = ByteString.EMPTY;
    private volatile long restNanos = REST_NANOS;
    private volatile String prefix = "load/";
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

    /** Lets every request carry so many bytes, to fill disks with. */
    Load heavy(int bytes) {
        metadata = ByteString.copyFrom("x".repeat(bytes), StandardCharsets.US_ASCII);
        return this;
    }

    /** Lets all clients together acquire about so often, if they are let. */
    Load perSecond(int acquires) {
        restNanos = NANOS_PER_SECOND * threads.size() / acquires;
        return this;
    }

    /** Takes keys that begin like this instead: what another load left locked does not matter then. */
    Load under(String keyPrefix) {
        prefix = keyPrefix;
        return this;
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

    /** How often a client was told that something was done. */
    int acknowledged() {
        return grants.size() + releases.size();
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
        private final Insistence server;
        private long seq;

        Worker(String name, SplittableRandom random) {
            this.name = name;
            this.random = random;
            this.server = new Insistence(clients, addresses);
            server.wander(random);
        }

        @Override
        public void run() {
            try {
                LeaseGrantRequest grant = LeaseGrantRequest.newBuilder()
                        .setId(lease)
                        .setTtlMs(TTL_MILLIS)
                        .setClientId(name)
                        .build();
                if (server.call(stub -> stub.leaseGrant(grant), () -> stopping) == null) {
                    return;
                }
                while (!stopping) {
                    once(prefix + random.nextInt(keys));
                    LockSupport.parkNanos(restNanos);
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
                    .setMetadata(metadata)
                    .build();
            LockResponse response = server.call(stub -> stub.lock(request), () -> stopping);
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
            if (server.call(stub -> stub.unlock(release), () -> stopping) != null) {
                releases.add(new Grant(key, token, System.nanoTime()));
            }
        }
    }
}
