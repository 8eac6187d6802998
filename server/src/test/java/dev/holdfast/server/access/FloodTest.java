package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One tenant asks as much as it can while nine go about their work. */
@Tag("slow")
@Timeout(180)
class FloodTest {
    private static final int WORKERS = 9;
    private static final int FLOODERS = 4;
    private static final int RATE = 50;
    /** What each of the nine needs, well below the rate. */
    private static final int PAIRS_PER_SECOND = 10;

    private static final int PHASES = Boolean.getBoolean("holdfast.long") ? 6 : 2;
    private static final int CALM_PHASES = Boolean.getBoolean("holdfast.long") ? 6 : 1;
    private static final long PHASE_NANOS = TimeUnit.SECONDS.toNanos(Boolean.getBoolean("holdfast.long") ? 10 : 4);

    @TempDir
    Path directory;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean flooding = new AtomicBoolean();
    private final LongAdder refused = new LongAdder();
    private final LongAdder flooded = new LongAdder();

    @Test
    void a_flood_of_one_tenant_is_refused_and_the_others_keep_their_pace() throws Exception {
        try (SecuredNode node = new SecuredNode(directory, Map.of("limit.rate.tenant", Integer.toString(RATE)))) {
            List<LongAdder> done = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                LongAdder count = new LongAdder();
                done.add(count);
                String tenant = "tenant" + i;
                threads.add(new Thread(() -> work(node, tenant, count), tenant));
            }
            for (int i = 0; i < FLOODERS; i++) {
                threads.add(new Thread(() -> flood(node), "flood" + i));
            }
            threads.forEach(Thread::start);
            long[][] calm = new long[WORKERS][CALM_PHASES];
            long[][] flood = new long[WORKERS][PHASES];
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> done.stream().allMatch(count -> count.sum() >= PAIRS_PER_SECOND)); // warm
            for (int phase = 0; phase < PHASES; phase++) {
                if (phase < CALM_PHASES) {
                    flooding.set(false);
                    measure(done, calm, phase);
                }
                flooding.set(true);
                measure(done, flood, phase);
            }
            over.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(refused.sum()).as("refused").isGreaterThan(flooded.sum());
            for (int i = 0; i < WORKERS; i++) {
                assertThat(median(flood[i]))
                        .as("tenant %s: calm %s, flood %s", i, Arrays.toString(calm[i]), Arrays.toString(flood[i]))
                        .isGreaterThanOrEqualTo((long) (0.9 * median(calm[i])));
            }
        }
    }

    private static long median(long[] counts) {
        long[] sorted = counts.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private void measure(List<LongAdder> done, long[][] counts, int phase) {
        done.forEach(LongAdder::reset);
        long end = System.nanoTime() + PHASE_NANOS;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        for (int i = 0; i < done.size(); i++) {
            counts[i][phase] = done.get(i).sum();
        }
    }

    private static long lease(LockServiceBlockingStub locks, String name) {
        long id = 1 + (name.hashCode() & 0xffffL) + Thread.currentThread().getId() * 0x10000L;
        var unused = locks.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(id).setTtl(300).build());
        return id;
    }

    /** Locks and unlocks at a steady pace; one that it misses is lost. */
    private void work(SecuredNode node, String tenant, LongAdder done) {
        LockServiceBlockingStub locks = node.locks(SecuredNode.token("worker", tenant, Verb.LOCK));
        long lease = lease(locks, tenant);
        long step = TimeUnit.SECONDS.toNanos(1) / PAIRS_PER_SECOND;
        long next = System.nanoTime();
        for (long seq = 1; !over.get(); seq++) {
            pair(locks, lease, tenant + "/k", seq);
            done.increment();
            next = Math.max(next + step, System.nanoTime());
            while (System.nanoTime() - next < 0) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }
    }

    private static void pair(LockServiceBlockingStub locks, long lease, String key, long seq) {
        long token = locks.tryLock(TryLockRequest.newBuilder()
                        .setName(key)
                        .setLeaseId(lease)
                        .setSeq(seq)
                        .setAckedBelow(seq)
                        .build())
                .getFencingToken();
        var unused = locks.unlock(UnlockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setFencingToken(token)
                .build());
    }

    private void flood(SecuredNode node) {
        LockServiceBlockingStub locks = node.locks(SecuredNode.token("flood", "flood", Verb.LOCK));
        long lease = lease(locks, "flood");
        for (long seq = 1; !over.get(); ) {
            if (!flooding.get()) {
                Thread.onSpinWait();
                LockSupport.parkNanos(1_000_000);
                continue;
            }
            try {
                pair(locks, lease, "flood/" + lease, seq++);
                flooded.increment();
            } catch (StatusRuntimeException e) {
                assertThat(Errors.of(e).map(Error::getCode)).contains(Code.RATE_LIMITED);
                refused.increment();
            }
        }
    }

    @Test
    void what_gives_back_is_never_too_much_and_a_refusal_says_when_there_is_room() throws Exception {
        try (SecuredNode node = new SecuredNode(directory, Map.of("limit.rate", "5"))) {
            LockServiceBlockingStub locks = node.locks(SecuredNode.token("ann", "acme", Verb.LOCK));
            long lease = lease(locks, "acme");
            Throwable failure = null;
            for (long seq = 1; failure == null; seq++) {
                long number = seq;
                failure = catchThrowable(() -> locks.tryLock(TryLockRequest.newBuilder()
                        .setName("acme/k")
                        .setLeaseId(lease)
                        .setSeq(number)
                        .build()));
            }
            Error error = Errors.of(failure).orElseThrow();
            assertThat(error.getCode()).isEqualTo(Code.RATE_LIMITED);
            assertThat(error.getLimit()).isEqualTo(5);
            assertThat(error.getRetryAfterMs()).isBetween(1L, 1_000L);
            for (int i = 0; i < 50; i++) {
                var unused = locks.unlock(UnlockRequest.newBuilder()
                        .setName("acme/k")
                        .setLeaseId(lease)
                        .build());
            }
            var unused = locks.leaseRevoke(
                    LeaseRevokeRequest.newBuilder().setId(lease).build());
        }
    }
}
