package dev.holdfast.chaos;

import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Somebody who locks and unlocks a key of his own, while others do what they do, and writes down how long it takes. */
final class Stranger {
    private static final String KEY = "stranger/" + Long.toHexString(new SecureRandom().nextLong());
    private static final long TTL_MILLIS = 3_600_000; // outlives any test: nothing here renews

    private final Insistence server;
    private final long restNanos;
    private final long lease = new SecureRandom().nextLong() | 1;
    private final Queue<Long> millis = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "stranger");
    private volatile boolean stopping;

    Stranger(Cluster cluster, long restNanos) {
        this.server = new Insistence(cluster.clients(), cluster.addresses());
        this.restNanos = restNanos;
        thread.start();
    }

    /** How long each lock took to get, since the last call. */
    List<Long> millis() {
        List<Long> taken = new ArrayList<>();
        for (Long each = millis.poll(); each != null; each = millis.poll()) {
            taken.add(each);
        }
        return taken;
    }

    private void run() {
        server.call(
                stub -> stub.leaseGrant(LeaseGrantRequest.newBuilder()
                        .setId(lease)
                        .setTtlMs(TTL_MILLIS)
                        .build()),
                () -> stopping);
        for (long seq = 1; !stopping; seq++) {
            LockRequest request = LockRequest.newBuilder()
                    .setName(KEY)
                    .setLeaseId(lease)
                    .setSeq(seq)
                    .setAckedBelow(seq)
                    .build();
            long asked = System.nanoTime();
            var granted = server.call(stub -> stub.lock(request), () -> stopping);
            if (granted == null) {
                return;
            }
            millis.add((System.nanoTime() - asked) / 1_000_000);
            server.call(
                    stub -> stub.unlock(UnlockRequest.newBuilder()
                            .setName(KEY)
                            .setLeaseId(lease)
                            .setFencingToken(granted.getFencingToken())
                            .build()),
                    () -> stopping);
            LockSupport.parkNanos(restNanos);
        }
    }

    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
    }
}
