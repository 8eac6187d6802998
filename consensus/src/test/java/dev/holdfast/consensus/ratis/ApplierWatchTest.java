package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An entry whose commit the engine's applying thread is not told of is applied soon. */
@Timeout(120)
class ApplierWatchTest {
    private static final long MUCH = 64 * 1024 * 1024;
    private static final int TRIES = 20;

    @TempDir
    Path directory;

    @Test
    void lost_signal_does_not_leave_an_entry_lying_until_the_engine_looks_by_itself() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            List<Node> followers =
                    cluster.running().stream().filter(node -> node != leader).toList();
            Node watched = followers.get(0);
            Node alone = followers.get(1);
            alone.running().applierWatch().close();
            List<Long> soon = new ArrayList<>();
            List<Long> late = new ArrayList<>();
            for (int i = 0; i < 20 * TRIES && Math.min(soon.size(), late.size()) < TRIES; i++) {
                long index = cluster.write("entry " + i).index();
                boolean watchedToo = commitInSilence(watched, index);
                boolean aloneToo = commitInSilence(alone, index);
                long since = System.nanoTime();
                long watchedTook = 0;
                long aloneTook = 0;
                while (watchedTook == 0 || aloneTook == 0) {
                    watchedTook = watchedTook == 0 && hasApplied(watched, index) ? elapsed(since) : watchedTook;
                    aloneTook = aloneTook == 0 && hasApplied(alone, index) ? elapsed(since) : aloneTook;
                    LockSupport.parkNanos(200_000);
                }
                if (watchedToo) {
                    soon.add(watchedTook);
                }
                if (aloneToo) {
                    late.add(aloneTook);
                }
            }
            assertThat(soon).hasSizeGreaterThanOrEqualTo(TRIES);
            assertThat(late).hasSizeGreaterThanOrEqualTo(TRIES);
            assertThat(median(soon))
                    .as("nanoseconds, watched %s and alone %s", soon, late)
                    .isLessThan(median(late) / 2);
        }
    }

    @Test
    void nothing_is_looked_at_once_all_is_applied() {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            for (int i = 0; i < 3; i++) {
                cluster.write("entry " + i);
                Awaiting.until(() -> cluster.running().stream()
                        .noneMatch(node -> node.running().applierWatch().isLooking()));
                cluster.awaitAgreement();
            }
        }
    }

    /**
     * Commits an entry where the engine commits it, and does not signal as the engine does after that.
     *
     * @return false if the leader's word was faster
     */
    private static boolean commitInSilence(Node node, long index) {
        RaftServer.Division division = node.running().running().division();
        while (division.getRaftLog().getFlushIndex() < index) {
            Thread.onSpinWait();
        }
        return division.getRaftLog().updateCommitIndex(index, division.getInfo().getCurrentTerm(), false);
    }

    private static boolean hasApplied(Node node, long index) {
        return node.running().running().division().getInfo().getLastAppliedIndex() >= index;
    }

    private static long elapsed(long since) {
        return Math.max(1, System.nanoTime() - since);
    }

    private static long median(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
