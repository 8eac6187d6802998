package dev.holdfast.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.consensus.Bench.Seat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster's engine must get right when disks and threads stand still at the worst moment. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class RareSchedules {
    /** Far above what an answer takes that comes at once. */
    private static final long SOON_MILLIS = 1000;

    @TempDir
    Path directory;

    protected abstract Bench open(Path directory);

    private static CompletableFuture<Outcome> propose(Seat seat, String text) {
        long term = seat.log().status().role().term();
        return seat.log().propose(term, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(Seat seat, String text) throws Exception {
        assertThat(propose(seat, text).get(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }

    /** All that run have applied just this. */
    private static void agreed(Bench bench, String... expected) {
        until(() -> bench.running().stream().allMatch(seat -> seat.applied().equals(List.of(expected))));
    }

    @Test
    void entry_that_a_member_has_not_flushed_does_not_count_when_it_is_sent_again() throws Exception {
        try (Bench bench = open(directory)) {
            Seat leader = bench.leader();
            write(leader, "before");
            agreed(bench, "before");
            Seat slow = bench.others(leader).get(0);
            bench.others(leader).get(1).stop();
            slow.holdDisk();
            slow.loseAnswer();
            int sent = slow.timesSentEntries();

            CompletableFuture<Outcome> outcome = propose(leader, "held");
            until(() -> slow.timesSentEntries() >= sent + 2);
            // A leader that no majority answers may give up meanwhile.
            Outcome early = outcome.completeOnTimeout(
                            new Outcome.Unknown("too early"), SOON_MILLIS, TimeUnit.MILLISECONDS)
                    .get();
            assertThat(early).isInstanceOf(Outcome.Unknown.class);
            assertThat(leader.applied()).isEqualTo(List.of("before"));

            slow.freeDisk();
            write(bench.leader(), "after");
            agreed(bench, "before", "held", "after");
        }
    }

    @Test
    void leader_whose_disk_stands_still_lets_another_lead_and_follows_once_it_goes_on() throws Exception {
        try (Bench bench = open(directory)) {
            Seat stuck = bench.leader();
            write(stuck, "before");
            stuck.holdDisk();
            CompletableFuture<Outcome> unflushed = propose(stuck, "unflushed");
            until(() -> bench.others(stuck).stream().anyMatch(Seat::leads));
            Seat next =
                    bench.others(stuck).stream().filter(Seat::leads).findFirst().orElseThrow();
            write(next, "after");
            // It may be applied or not, but whoever proposed it is not left waiting.
            assertThat(unflushed.get(20, TimeUnit.SECONDS)).isNotInstanceOf(Outcome.NotAppended.class);
            assertThat(next.applied()).isEqualTo(List.of("before", "unflushed", "after"));

            stuck.freeDisk();
            agreed(bench, "before", "unflushed", "after");
            assertThat(stuck.leads()).isFalse();
        }
    }

    @Test
    void leader_whose_disk_stands_still_leads_on_if_no_majority_could_go_on_without_it() throws Exception {
        try (Bench bench = open(directory)) {
            Seat stuck = bench.leader();
            write(stuck, "before");
            Role leading = stuck.log().status().role();
            bench.others(stuck).get(0).stop();
            stuck.holdDisk();
            CompletableFuture<Outcome> unflushed = propose(stuck, "unflushed");
            assertThatThrownBy(() -> unflushed.get(3 * SOON_MILLIS, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            stuck.freeDisk();
            assertThat(unflushed.get(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Applied.class);
            assertThat(stuck.log().status().role()).isEqualTo(leading);
        }
    }
}
