package dev.holdfast.server.propose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.Role;
import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.replica.Entry;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Reach;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.RequestFailure.Reason;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Requests.Renewed;
import dev.holdfast.server.request.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a submission whose answer the test does not look at
class BatcherTest {
    private static final long MILLI = 1_000_000;
    private static final long TERM = 5;
    private static final LeaseId LEASE = new LeaseId(77);
    private static final Flow FLOW = new Flow("p", "c1");
    private static final Flow STRANGER = new Flow("q", "c2");

    private final LockReplica replica = new LockReplica(role -> {}, (message, cause) -> {
        throw new AssertionError(message, cause);
    });
    private final ManualLog log = new ManualLog(replica);
    private long nanos;
    private int wakes;
    private Batcher batcher = batcher(BatchSettings.DEFAULT);

    private Batcher batcher(BatchSettings settings) {
        Reach reach = new Reach() {
            @Override
            public Optional<String> leaderAddress() {
                return Optional.empty();
            }

            @Override
            public String describe() {
                return "1 of 3 voting nodes reachable";
            }
        };
        Batcher made = new Batcher(
                log,
                replica,
                reach,
                settings,
                42,
                new Batcher.Ticks(() -> nanos, () -> 0),
                () -> wakes++,
                Batcher.Metrics.NONE);
        replica.listen(made);
        return made;
    }

    @BeforeEach
    void lead() {
        batcher.roleChanged(new Role.Leading(TERM));
        batcher.step();
        log.applyNext();
    }

    private static Command grant() {
        return new Command.GrantLease(LEASE, "p", "c", 30_000, 0);
    }

    private static Command acquire(long seq, String key) {
        return Command.Acquire.of(LEASE, "p", seq, 0, List.of(Item.exclusive(LockKey.of(key))));
    }

    private boolean hasLease() {
        return replica.<Boolean>ask(view -> view.leaseEndMillis(LEASE).isPresent());
    }

    private void settle() {
        batcher.step();
        while (log.waiting() > 0) {
            log.applyNext();
            batcher.step();
        }
    }

    @Test
    void a_new_leader_first_proposes_a_stamp() {
        Batcher fresh = batcher(BatchSettings.DEFAULT);
        fresh.step();
        assertThat(log.waiting()).isZero();
        fresh.roleChanged(new Role.Leading(TERM + 1));
        fresh.step();
        assertThat(log.waiting()).isEqualTo(1);
    }

    @Test
    void an_answer_comes_only_when_its_entry_is_applied() {
        CompletableFuture<Answer> answer = batcher.submit(FLOW, grant());
        batcher.step();
        assertThat(answer).isNotDone();
        log.applyNext();
        assertThat(answer.join().result()).isInstanceOf(Result.LeaseGranted.class);
        assertThat(answer.join().stamp().term()).isEqualTo(TERM);
    }

    @Test
    void what_is_submitted_together_shares_an_entry_though_the_proposing_thread_is_idle() {
        int before = wakes;
        CompletableFuture<Answer> last = batcher.together(() -> {
            batcher.submit(FLOW, grant());
            batcher.step();
            assertThat(log.waiting()).isZero();
            batcher.together(() -> batcher.submit(FLOW, acquire(1, "a")));
            return batcher.submit(FLOW, acquire(2, "b"));
        });
        settle();
        assertThat(last.join().result()).isInstanceOf(Result.Granted.class);
        assertThat(wakes - before).as("once for all of it, once for its entry").isEqualTo(2);
    }

    @Test
    void what_was_submitted_before_a_failure_goes_out_all_the_same() {
        assertThatThrownBy(() -> batcher.together(() -> {
                    batcher.submit(FLOW, grant());
                    throw new IllegalStateException("made up");
                }))
                .hasMessage("made up");
        settle();
        assertThat(hasLease()).isTrue();
    }

    @Test
    void what_arrives_while_entries_are_on_their_way_shares_the_next() {
        batcher.submit(FLOW, grant());
        batcher.step();
        batcher.submit(FLOW, acquire(1, "a"));
        batcher.step();
        for (int i = 2; i < 50; i++) {
            batcher.submit(FLOW, acquire(i, "k" + i));
            batcher.step();
        }
        assertThat(log.waiting()).isEqualTo(BatchSettings.DEFAULT.mostInFlight());
        log.applyNext();
        batcher.step();
        assertThat(log.waiting()).isEqualTo(BatchSettings.DEFAULT.mostInFlight());
        settle();
        assertThat(replica.<Boolean>ask(view -> view.lock(LockKey.of("k49")).isPresent()))
                .isTrue();
    }

    @Test
    void a_refused_batch_takes_all_behind_it_along_and_nothing_overtakes() {
        batcher.submit(FLOW, grant());
        settle();
        log.refuse("not the leader");
        CompletableFuture<Answer> first = batcher.submit(FLOW, acquire(1, "a"));
        CompletableFuture<Answer> second = batcher.submit(FLOW, acquire(2, "b"));
        batcher.step();
        log.accept();
        batcher.step();
        assertFailed(first, Reason.NO_LEADER, false);
        assertFailed(second, Reason.NO_LEADER, false);
        assertThat(log.waiting()).isZero();
    }

    @Test
    void a_batch_lost_with_its_leader_is_known_to_be_lost_once_a_later_term_is_applied() {
        CompletableFuture<Answer> answer = batcher.submit(FLOW, grant());
        batcher.step();
        log.loseNext();
        batcher.roleChanged(new Role.Following(TERM + 1, Optional.empty()));
        batcher.step();
        assertThat(answer).isNotDone();
        log.applyForeign(TERM + 1, new Entry(43, 1, Batch.of(TERM + 1, 0, 0, List.of())).encode());
        assertFailed(answer, Reason.NO_LEADER, false);
    }

    @Test
    void a_node_that_leads_again_does_not_wait_for_a_batch_that_was_lost_with_its_older_term() {
        CompletableFuture<Answer> lost = batcher.submit(FLOW, grant());
        batcher.step();
        log.loseNext();
        batcher.roleChanged(new Role.Following(TERM + 1, Optional.empty()));
        batcher.step();
        batcher.roleChanged(new Role.Leading(TERM + 2));
        CompletableFuture<Answer> next = batcher.submit(FLOW, grant());
        settle();
        assertFailed(lost, Reason.NO_LEADER, false);
        assertThat(next.join().result()).isInstanceOf(Result.LeaseGranted.class);
        assertThat(batcher.isIdle()).isTrue();
    }

    @Test
    void an_entry_committed_by_a_later_leader_still_gives_its_answer() {
        CompletableFuture<Answer> answer = batcher.submit(FLOW, grant());
        batcher.step();
        batcher.roleChanged(new Role.Following(TERM + 1, Optional.empty()));
        batcher.step();
        log.applyNext();
        assertThat(answer.join().result()).isInstanceOf(Result.LeaseGranted.class);
    }

    @Test
    void without_a_majority_the_outcome_is_unknown_and_what_was_not_proposed_surely_was_not_done() {
        CompletableFuture<Answer> flying = batcher.submit(FLOW, grant());
        CompletableFuture<Answer> flyingToo = batcher.submit(FLOW, acquire(1, "a"));
        batcher.step();
        CompletableFuture<Answer> queued = batcher.submit(FLOW, acquire(2, "b"));
        batcher.step();
        for (int i = 0; i < 21; i++) {
            nanos += 100 * MILLI;
            batcher.step();
        }
        assertFailed(flying, Reason.NO_QUORUM, true);
        assertFailed(flyingToo, Reason.NO_QUORUM, true);
        assertFailed(queued, Reason.NO_QUORUM, false);
        assertThatThrownBy(queued::join).hasMessageContaining("1 of 3 voting nodes reachable");
    }

    @Test
    void a_node_that_does_not_lead_refuses_at_once() {
        batcher.roleChanged(new Role.Following(TERM, Optional.empty()));
        CompletableFuture<Answer> answer = batcher.submit(FLOW, grant());
        batcher.step();
        assertFailed(answer, Reason.NO_LEADER, false);
    }

    private Batcher batcherOf(int mostCommands, int fewBytes, int mostRenewals, int mostQueued) {
        BatchSettings d = BatchSettings.DEFAULT;
        batcher = batcher(new BatchSettings(
                1,
                mostCommands,
                fewBytes,
                d.mostBytes(),
                mostRenewals,
                mostQueued,
                d.mostQueuedBytes(),
                d.patience(),
                d.idleStamp(),
                d.longestRenewalWait()));
        return batcher;
    }

    @Test
    void a_full_queue_refuses_acquires_but_takes_releases() {
        batcher = batcherOf(10, 65_536, 4_096, 13);
        for (int i = 1; i <= 4; i++) {
            assertThat(batcher.submit(FLOW, acquire(i, "a"))).isNotDone();
        }
        CompletableFuture<Answer> fifth = batcher.submit(FLOW, acquire(5, "a"));
        assertFailed(fifth, Reason.OVERLOADED, false);
        assertThatThrownBy(fifth::join).hasMessageContaining("4 requests wait of at most 13, 4 of this caller");
        assertThat(batcher.submit(FLOW, new Command.Release(LEASE, "p", LockKey.of("a"), 0, 0)))
                .isNotDone();
        assertThat(batcher.renew(FLOW, "p", new long[] {1})).isNotDone();
    }

    @Test
    void one_who_floods_fills_neither_the_queue_nor_the_entries_of_others() {
        batcher = batcherOf(4_096, 8_192, 4_096, 65_536);
        batcher.roleChanged(new Role.Leading(TERM));
        batcher.step();
        log.applyNext();
        List<CompletableFuture<Answer>> flood = new ArrayList<>();
        for (int i = 0; i < 65_536; i++) {
            flood.add(batcher.submit(FLOW, new Command.Release(new LeaseId(i + 1), "p", LockKey.of("a"), 0, 0)));
        }
        assertFailed(flood.get(65_535), Reason.OVERLOADED, false);
        batcher.step(); // an entry of the flood alone is on its way, and bounded
        assertThat(log.waiting()).isEqualTo(1);
        CompletableFuture<Answer> stranger =
                batcher.submit(STRANGER, new Command.Release(new LeaseId(5), "q", LockKey.of("a"), 0, 0));
        log.applyNext();
        long first = flood.stream().filter(CompletableFuture::isDone).count();
        assertThat(first).as("with those refused").isLessThan(65_536);
        batcher.step();
        log.applyNext();
        assertThat(stranger).as("in the very next entry").isCompleted();
        assertThat(flood.get(0)).isCompleted();
        assertThat(flood.get(10_000)).isNotDone();
    }

    @Test
    void connections_of_one_caller_take_turns_too_and_each_keeps_its_order() {
        batcher = batcherOf(4_096, 4_096, 4_096, 65_536);
        batcher.roleChanged(new Role.Leading(TERM));
        batcher.step();
        log.applyNext();
        for (int i = 0; i < 1_000; i++) {
            batcher.submit(FLOW, new Command.Release(new LeaseId(i + 1), "p", LockKey.of("a"), 0, 0));
        }
        Flow other = new Flow(FLOW.party(), "c3");
        batcher.submit(other, grant());
        CompletableFuture<Answer> acquired = batcher.submit(other, acquire(1, "k"));
        CompletableFuture<Stamp> seen = batcher.barrier(other);
        batcher.step();
        log.applyNext();
        assertThat(acquired.join().result()).isInstanceOf(Result.Granted.class);
        assertThat(seen.join()).isEqualTo(acquired.join().stamp());
    }

    @Test
    void a_flood_of_renewals_is_looked_at_in_turns() {
        batcher = batcherOf(4_096, 8_192, 2_000, 65_536);
        batcher.roleChanged(new Role.Leading(TERM));
        batcher.submit(STRANGER, new Command.GrantLease(LEASE, "q", "c", 30_000, 0));
        settle();
        List<CompletableFuture<Renewed>> flood = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            flood.add(batcher.renew(FLOW, "p", new long[1_000]));
        }
        CompletableFuture<Renewed> stranger = batcher.renew(STRANGER, "q", new long[] {LEASE.value()});
        batcher.step();
        log.applyNext();
        assertThat(stranger.join().ends()[0]).isPositive();
        assertThat(flood.stream().filter(CompletableFuture::isDone).count()).isBetween(1L, 3L);
        settle();
        assertThat(flood).allMatch(CompletableFuture::isDone);
    }

    @Test
    void whoever_waits_too_long_for_its_turn_is_told_so_and_nobody_else() {
        batcher = batcherOf(64, 1, 4_096, 65_536);
        batcher.roleChanged(new Role.Leading(TERM));
        batcher.step();
        log.applyNext();
        for (int i = 0; i < 5_000; i++) {
            batcher.submit(FLOW, new Command.Release(new LeaseId(i + 1), "p", LockKey.of("a"), 0, 0));
        }
        CompletableFuture<Answer> last = batcher.submit(FLOW, new Command.Release(LEASE, "p", LockKey.of("a"), 0, 0));
        CompletableFuture<Answer> stranger = new CompletableFuture<>();
        for (int i = 0; i < 30; i++) {
            batcher.step();
            nanos += 100 * MILLI;
            log.applyNext();
            stranger = batcher.submit(STRANGER, new Command.Release(LEASE, "q", LockKey.of("a"), 0, 0));
        }
        assertFailed(last, Reason.OVERLOADED, false);
        settle();
        assertThat(stranger).isCompletedWithValueMatching(answer -> true);
    }

    @Test
    void a_leader_that_stood_still_refuses_nobody_for_that() {
        CompletableFuture<Answer> flying = batcher.submit(FLOW, grant());
        batcher.step();
        CompletableFuture<Answer> queued = batcher.submit(FLOW, acquire(1, "a"));
        batcher.step();
        nanos += 10 * BatchSettings.DEFAULT.patience().toNanos();
        batcher.step();
        assertThat(flying).isNotDone();
        assertThat(queued).isNotDone();
        settle();
        assertThat(flying).isCompletedWithValueMatching(answer -> answer.result() instanceof Result.LeaseGranted);
        assertThat(queued).isCompletedWithValueMatching(answer -> answer.result() instanceof Result.Granted);
    }

    @Test
    void a_command_that_no_entry_can_carry_is_refused_and_stops_nothing() {
        assertFailed(batcher.submit(FLOW, acquire(1, "k".repeat(2_000))), Reason.INVALID, false);
        assertFailed(
                batcher.submit(FLOW, new Command.ForceRelease(LockKey.of("k".repeat(1_025)), 1, "me", "why")),
                Reason.INVALID,
                false);
        CompletableFuture<Answer> next = batcher.submit(FLOW, grant());
        settle();
        assertThat(next).isCompleted();
    }

    @Test
    void renewals_wait_for_company_but_not_longer_than_a_twentieth_of_the_ttl() {
        batcher.submit(FLOW, new Command.GrantLease(LEASE, "p", "c", 2_000, 0));
        settle();
        CompletableFuture<Renewed> renewed = batcher.renew(FLOW, "p", new long[] {LEASE.value()});
        long pause = batcher.step();
        assertThat(log.waiting()).isZero();
        assertThat(pause).isLessThanOrEqualTo(100 * MILLI);
        nanos += 99 * MILLI;
        batcher.step();
        assertThat(log.waiting()).isZero();
        nanos += 2 * MILLI;
        batcher.step();
        assertThat(log.waiting()).isEqualTo(1);
        log.applyNext();
        assertThat(renewed.join().ends()[0]).isGreaterThan(2_000);
    }

    @Test
    void a_renewal_leaves_with_the_next_command() {
        batcher.submit(FLOW, grant());
        settle();
        CompletableFuture<Renewed> renewed = batcher.renew(FLOW, "p", new long[] {LEASE.value()});
        batcher.submit(FLOW, acquire(1, "a"));
        batcher.step();
        log.applyNext();
        assertThat(renewed).isCompleted();
    }

    @Test
    void a_lease_of_somebody_else_is_not_renewed_and_the_answer_waits_for_the_entry() {
        batcher.submit(FLOW, grant());
        settle();
        CompletableFuture<Renewed> renewed = batcher.renew(FLOW, "thief", new long[] {LEASE.value(), 123});
        nanos += 10 * MILLI;
        batcher.step();
        assertThat(renewed).isNotDone();
        log.applyNext();
        assertThat(renewed.join().ends()).containsExactly(Applied.NOT_RENEWED, Applied.NOT_RENEWED);
    }

    @Test
    void a_deadline_that_comes_due_is_proposed_without_anybody_asking() {
        batcher.submit(FLOW, new Command.GrantLease(LEASE, "p", "c", 1_000, 0));
        settle();
        for (int i = 0; i < 130 && hasLease(); i++) {
            nanos += 10 * MILLI;
            settle();
        }
        assertThat(hasLease()).isFalse();
        assertThat(replica.now()).isBetween(1_050L, 1_100L);
    }

    @Test
    void what_is_left_of_a_revoked_lease_follows_at_once_entry_by_entry() {
        batcher.submit(FLOW, new Command.SetLimit(Limit.ENDS_PER_ENTRY, 1));
        batcher.submit(FLOW, grant());
        for (int seq = 1; seq <= 5; seq++) {
            batcher.submit(FLOW, acquire(seq, "k" + seq));
        }
        settle();
        CompletableFuture<Answer> revoked = batcher.submit(FLOW, new Command.RevokeLease(LEASE, "p"));
        batcher.step();
        log.applyNext();
        assertThat(revoked.join().result()).isEqualTo(new Result.LeaseRevoked());
        assertThat(replica.<Integer>ask(MachineView::lockCount)).isEqualTo(4);
        settle();
        assertThat(replica.<Integer>ask(MachineView::lockCount))
                .as("while no time passed")
                .isZero();
        assertThat(replica.<Integer>ask(MachineView::leaseCount)).isZero();
    }

    @Test
    void time_that_a_stalled_leader_slept_through_ends_no_lease() {
        batcher.submit(FLOW, new Command.GrantLease(LEASE, "p", "c", 1_000, 0));
        settle();
        nanos += 3_600_000 * MILLI;
        CompletableFuture<Renewed> renewed = batcher.renew(FLOW, "p", new long[] {LEASE.value()});
        settle();
        nanos += 60 * MILLI;
        settle();
        assertThat(renewed.join().ends()[0]).isGreaterThan(1_000);
    }

    @Test
    void an_idle_leader_with_leases_stamps_and_one_without_falls_silent() {
        batcher.submit(FLOW, grant());
        settle();
        nanos += 251 * MILLI;
        batcher.step();
        assertThat(log.waiting()).isEqualTo(1);
        log.applyNext();
        batcher.submit(FLOW, new Command.RevokeLease(LEASE, "p"));
        settle();
        nanos += 251 * MILLI;
        batcher.step();
        assertThat(log.waiting()).as("the others learn of the commit").isEqualTo(1);
        log.applyNext();
        nanos += 10_000 * MILLI;
        batcher.step();
        assertThat(log.waiting()).isZero();
    }

    @Test
    void adding_work_and_applying_wake_the_proposing_thread() {
        int before = wakes;
        batcher.submit(FLOW, grant());
        assertThat(wakes).isGreaterThan(before);
        batcher.step();
        int proposed = wakes;
        log.applyNext();
        assertThat(wakes).isGreaterThan(proposed);
    }

    private static void assertFailed(CompletableFuture<?> future, Reason reason, boolean unknown) {
        assertThat(future).isCompletedExceptionally();
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(RequestFailure.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(reason);
                    assertThat(failure.unknownOutcome()).isEqualTo(unknown);
                    if (reason == Reason.OVERLOADED) {
                        assertThat(failure.excess().actual())
                                .isGreaterThan(failure.excess().most());
                    }
                });
    }
}
