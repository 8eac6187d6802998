package dev.holdfast.bench.side.holdfast;

import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.concurrent.atomic.AtomicLong;

/** Takes very many locks and keeps them, {@value #LOCKS_PER_LEASE} under each lease. */
final class Filling {
    private static final int LOCKS_PER_LEASE = 100_000;
    private static final long TTL_MILLIS = 12 * 3_600_000L;

    private final AtomicLong lease = new AtomicLong();
    private final AtomicLong granted = new AtomicLong();

    private Filling() {}

    static void fill(String address, long locks) throws InterruptedException {
        new Filling().run(address, locks);
    }

    private void run(String address, long locks) throws InterruptedException {
        // Left open: a lease does not end with its session, and the process ends with the measurement.
        Pipe pipe = new Pipe(address, "filling", this::answered);
        for (long taken = 0; taken < locks; taken += LOCKS_PER_LEASE) {
            pipe.awaitAnswers();
            pipe.send(ClientMessage.newBuilder()
                    .setLeaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(TTL_MILLIS)));
            pipe.awaitAnswers();
            long count = Math.min(LOCKS_PER_LEASE, locks - taken);
            for (long seq = 1; seq <= count; seq++) {
                pipe.send(ClientMessage.newBuilder()
                        .setAcquire(LockRequest.newBuilder()
                                .setName("held/%010d".formatted(taken + seq))
                                .setLeaseId(lease.get())
                                .setSeq(seq)
                                .setAckedBelow(Math.max(1, seq - Pipe.ON_THEIR_WAY))));
            }
        }
        pipe.awaitAnswers();
        if (granted.get() != locks) {
            throw new IllegalStateException("of " + locks + " locks " + granted.get() + " were granted");
        }
    }

    private void answered(ServerMessage message) {
        if (message.hasLeaseGranted()) {
            lease.set(message.getLeaseGranted().getId());
        } else if (message.getLock().getAcquired()) {
            granted.incrementAndGet();
        }
    }
}
