package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * One caller watches everything, many times over, while a stranger locks and unlocks.
 *
 * <p>Phases with and without the watches follow each other, and each with them is compared with the two around it: what
 * else the machine does meanwhile is in all three. Node, stranger and the watching client share its processors. What that
 * client spends is printed; it is not the node's, but it is in the figure.
 */
@Tag("slow")
@Timeout(900)
class WatchCostTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.long");
    private static final int WATCHES = LONG ? 20_000 : 5_000;
    private static final int PAIRS = LONG ? 400 : 200;
    private static final int ROUNDS = LONG ? 31 : 5;

    /** Wide, for a busy machine; without a share for each caller it is eight and more. The figure is printed. */
    private static final double MOST = LONG ? 1.1 : 2.5;

    private static final String HOG = SecuredNode.token("hog", "", Verb.READ);

    @TempDir
    Path directory;

    private long seq;

    @Test
    @EnabledIfSystemProperty(named = "holdfast.long", matches = "true")
    void watches_of_everything_hardly_slow_a_stranger_down() throws Exception {
        Map<String, String> raised = Map.of("limit.watches", Integer.toString(WATCHES));
        try (SecuredNode node = new SecuredNode(directory, raised)) {
            assertHardlySlower(node, HOG, WATCHES, "everything");
        }
    }

    @Test
    void as_many_as_a_caller_may_have_hardly_slow_a_stranger_down_and_one_more_is_refused() throws Exception {
        try (SecuredNode node = new SecuredNode(directory, Map.of())) {
            int most = 10_000;
            try (ManyWatches watches = new ManyWatches(node, HOG, most + 1)) {
                assertThat(watches.refused).singleElement().satisfies(error -> {
                    assertThat(error.getCode()).isEqualTo(Code.QUOTA_EXCEEDED);
                    assertThat(error.getSubject()).isEqualTo("watches of one caller");
                    assertThat(error.getLimit()).isEqualTo(most);
                });
            }
            assertHardlySlower(node, HOG, most, "everything, within the limit");
        }
    }

    @Test
    void watches_of_another_tenant_do_not_slow_a_stranger_down() throws Exception {
        Map<String, String> raised =
                Map.of("limit.watches", Integer.toString(WATCHES), "limit.watches.tenant", Integer.toString(WATCHES));
        try (SecuredNode node = new SecuredNode(directory, raised)) {
            assertHardlySlower(node, SecuredNode.token("hog", "acme", Verb.READ), WATCHES, "another tenant's keys");
        }
    }

    /** In turns with and without watches, so that both meet the same machine. */
    private void assertHardlySlower(SecuredNode node, String hog, int count, String what) {
        LockServiceBlockingStub locks = node.locks(SecuredNode.token("worker", "calm", Verb.LOCK));
        long lease = 0x5001;
        var unused = locks.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(lease).setTtl(600).build());
        double[] alone = new double[ROUNDS + 1];
        double[] watched = new double[ROUNDS];
        double warm = pairs(locks, lease, 10 * PAIRS);
        try (ManyWatches watches = new ManyWatches(node, hog, count)) {
            warm = pairs(locks, lease, PAIRS);
            assertThat(watches.refused).isEmpty();
        }
        alone[0] = phase(locks, lease);
        long told = 0;
        double reading = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (ManyWatches watches = new ManyWatches(node, hog, count)) {
                watched[round] = phase(locks, lease);
                told += watches.bytes.sum();
                reading += watches.cpuMillis();
            }
            alone[round + 1] = phase(locks, lease);
        }
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            ratios[round] = watched[round] / Math.sqrt(alone[round] * alone[round + 1]);
        }
        System.out.printf(
                Locale.ROOT,
                "%d watches of %s: a stranger's lock and unlock takes %.2f of the time without them, a quarter of the"
                        + " phases below %.2f, a quarter above %.2f (medians of %.0f and %.0f us; %d MB told, for which"
                        + " the watching client took %.0f ms of a processor; warm: %.0f us)%n",
                count,
                what,
                median(ratios),
                quantile(ratios, 0.25),
                quantile(ratios, 0.75),
                median(watched),
                median(alone),
                told / 1_000_000,
                reading,
                warm);
        assertThat(median(ratios))
                .as("%s to %s", Arrays.toString(watched), Arrays.toString(alone))
                .isLessThan(MOST);
    }

    private double phase(LockServiceBlockingStub locks, long lease) {
        // What opening so many watches leaves behind is no cost of having them.
        System.gc();
        var unused = pairs(locks, lease, PAIRS / 10);
        return pairs(locks, lease, PAIRS);
    }

    /** The median time of a lock and its unlock, in microseconds. */
    private double pairs(LockServiceBlockingStub locks, long lease, int count) {
        double[] times = new double[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            pair(locks, lease);
            times[i] = (System.nanoTime() - start) / 1_000.0;
        }
        return median(times);
    }

    private void pair(LockServiceBlockingStub locks, long lease) {
        seq++;
        long token = locks.tryLock(TryLockRequest.newBuilder()
                        .setName("calm/k")
                        .setLeaseId(lease)
                        .setSeq(seq)
                        .setAckedBelow(seq)
                        .build())
                .getFencingToken();
        var unused = locks.unlock(UnlockRequest.newBuilder()
                .setName("calm/k")
                .setLeaseId(lease)
                .setFencingToken(token)
                .build());
    }

    private static double median(double[] values) {
        return quantile(values, 0.5);
    }

    private static double quantile(double[] values, double part) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) (sorted.length * part)];
    }
}
