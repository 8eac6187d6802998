package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.LockTimeoutException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.RefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a lock must do. Every way of reaching one extends this. */
@Timeout(120)
public abstract class LockContract {
    protected static final Duration TTL = Duration.ofSeconds(5);

    private static final AtomicInteger KEYS = new AtomicInteger();

    private final String key = "contract/" + KEYS.incrementAndGet();
    private HoldfastClient alice;
    private HoldfastClient bob;

    protected abstract Reach reach();

    @SuppressWarnings("NullAway.Init")
    protected LockContract() {}

    @BeforeEach
    void connect() {
        alice = reach().client(TTL);
        bob = reach().client(TTL);
    }

    @AfterEach
    void disconnect() {
        alice.close();
        bob.close();
        assertThat(reach().operator().locks(key)).isEmpty();
    }

    @Test
    void a_free_lock_is_granted_and_valid_until_it_is_given_back() throws Exception {
        Grant grant = alice.lock(key).acquire();
        assertThat(grant.isValid()).isTrue();
        assertThat(grant.state()).isEqualTo(Grant.State.HELD);
        assertThat(grant.keys()).containsExactly(key);
        assertThat(grant.remaining()).isPositive().isLessThan(TTL);
        assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.state()).isEqualTo(Grant.State.RELEASED);
    }

    @Test
    void a_held_lock_is_refused_to_others_and_handed_to_who_waited_longest() throws Exception {
        Grant held = alice.lock(key).acquire();
        assertThat(bob.lock(key).tryAcquire()).isEmpty();
        CompletableFuture<Grant> first = bob.lock(key).acquireAsync();
        awaitWaiters(1);
        CompletableFuture<Grant> second = alice.lock(key).acquireAsync();
        awaitWaiters(2);
        held.close();
        try (Grant next = first.join()) {
            assertThat(next.token()).isGreaterThan(held.token());
            assertThat(second).isNotDone();
        }
        second.join().close();
    }

    @Test
    void tokens_of_a_key_grow_from_grant_to_grant() throws Exception {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            try (Grant grant = (i % 2 == 0 ? alice : bob).lock(key).acquire()) {
                assertThat(grant.token()).isGreaterThan(last);
                last = grant.token();
            }
        }
    }

    @Test
    void shared_grants_go_together_and_exclude_the_exclusive_one() throws Exception {
        try (Grant one = alice.lock(key).shared().acquire();
                Grant two = bob.lock(key).shared().acquire()) {
            assertThat(one.isShared()).isTrue();
            assertThat(two.isValid()).isTrue();
            assertThat(alice.lock(key).tryAcquire()).isEmpty();
        }
        alice.lock(key).acquire().close();
    }

    @Test
    void behaviour_30_readers_join_up_to_the_first_waiting_writer_and_no_writer_starves() throws Exception {
        Grant reader = alice.lock(key).shared().acquire();
        CompletableFuture<Grant> writer = bob.lock(key).acquireAsync();
        awaitWaiters(1);
        CompletableFuture<Grant> late = alice.lock(key).shared().acquireAsync();
        awaitWaiters(2);
        assertThat(late).isNotDone();
        reader.close();
        Grant written = writer.join();
        assertThat(late).isNotDone();
        written.close();
        late.join().close();
    }

    @Test
    void behaviour_31_lock_all_takes_all_or_none_in_one_step() throws Exception {
        Grant middle = bob.lock(key + "/b").acquire();
        assertThat(alice.lockAll(key + "/a", key + "/b", key + "/c").tryAcquire())
                .isEmpty();
        bob.lock(key + "/a").acquire().close();
        middle.close();
        try (Grant all = alice.lockAll(key + "/c", key + "/a", key + "/b").acquire()) {
            assertThat(all.keys()).containsExactly(key + "/a", key + "/b", key + "/c");
            assertThat(bob.lock(key + "/c").tryAcquire()).isEmpty();
        }
    }

    @Test
    void a_subtree_covers_what_is_below_it() throws Exception {
        try (Grant tree = alice.lock(key).subtree().acquire()) {
            assertThat(tree.isValid()).isTrue();
            assertThat(bob.lock(key + "/x/y").tryAcquire()).isEmpty();
            bob.lock(key + "-sibling").acquire().close();
        }
    }

    @Test
    void a_semaphore_has_so_many_permits_each_with_its_slot() throws Exception {
        try (Grant one = alice.semaphore(key, 2).acquire();
                Grant two = bob.semaphore(key, 2).acquire()) {
            assertThat(List.of(one.slots().get(0), two.slots().get(0))).containsExactlyInAnyOrder(0, 1);
            assertThat(bob.semaphore(key, 2).tryAcquire()).isEmpty();
            assertThatThrownBy(() -> bob.semaphore(key, 3).tryAcquire())
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("KIND_MISMATCH");
        }
    }

    @Test
    void behaviour_18_a_wait_ends_in_time_and_never_becomes_a_grant_later() throws Exception {
        Grant held = alice.lock(key).acquire();
        Duration wait = Duration.ofMillis(200);
        assertThatThrownBy(() -> bob.lock(key).waitAtMost(wait).acquire())
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining(key);
        assertThat(bob.lock(key).waitAtMost(wait).tryAcquire()).isEmpty();
        assertThat(reach().operator().waiters(key)).isZero();
        held.release();
        assertThat(reach().operator().locks(key)).isEmpty();
    }

    @Test
    void cancelling_a_future_leaves_nothing_behind() throws Exception {
        Grant held = alice.lock(key).acquire();
        CompletableFuture<Grant> waiting = bob.lock(key).acquireAsync();
        awaitWaiters(1);
        assertThat(waiting.cancel(true)).isTrue();
        awaitWaiters(0);
        held.release();
        assertThat(reach().operator().locks(key)).isEmpty();
    }

    @Test
    void an_interrupt_takes_the_request_back() throws Exception {
        Grant held = alice.lock(key).acquire();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                bob.lock(key).acquire().close();
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        waiting.start();
        awaitWaiters(1);
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        awaitWaiters(0);
        held.release();
        assertThat(reach().operator().locks(key)).isEmpty();
    }

    @Test
    void behaviour_20_a_release_has_a_definite_answer_however_often_it_is_asked() throws Exception {
        Grant grant = alice.lock(key).acquire();
        assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
        assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
        grant.close();
        Grant forced = alice.lock(key).acquire();
        reach().operator().force(key, forced.token(), "ops", "test");
        await().until(() -> !forced.isValid());
        assertThat(forced.release()).isEqualTo(Grant.Outcome.ALREADY_RELEASED);
    }

    @Test
    void behaviour_21_a_late_release_cannot_free_a_newer_grant() throws Exception {
        Grant old = alice.lock(key).acquire();
        reach().operator().force(key, old.token(), "ops", "test");
        Grant fresh = alice.lock(key).acquire();
        var unused = old.release();
        old.close();
        assertThat(fresh.isValid()).isTrue();
        assertThat(bob.lock(key).tryAcquire()).isEmpty();
        assertThat(fresh.release()).isEqualTo(Grant.Outcome.RELEASED);
    }

    @Test
    void behaviour_22_closing_a_lost_grant_does_not_throw_and_the_lock_can_be_had_again() throws Exception {
        Grant grant = alice.lock(key).acquire();
        reach().operator().force(key, grant.token(), "ops", "test");
        await().until(() -> grant.state() == Grant.State.LOST);
        grant.close();
        assertThatThrownBy(() -> grant.requireValid(Duration.ZERO)).isInstanceOf(LockLostException.class);
        alice.lock(key).acquire().close();
    }

    @Test
    void behaviour_02_a_loss_says_why_and_who() throws Exception {
        Grant forced = alice.lock(key).acquire();
        CompletableFuture<Loss> loss = forced.lost().toCompletableFuture();
        reach().operator().force(key, forced.token(), "ops", "stuck since noon");
        assertThat(loss.join().reason()).isEqualTo(Loss.Reason.REVOKED);
        assertThat(loss.join().detail()).contains("ops").contains("stuck since noon");

        Grant limited = alice.lock(key).maxHold(Duration.ofMillis(300)).acquire();
        assertThat(limited.lost().toCompletableFuture().join().reason()).isEqualTo(Loss.Reason.EXPIRED);

        HoldfastClient closing = reach().client(TTL);
        Grant open = closing.lock(key).acquire();
        closing.close();
        assertThat(open.lost().toCompletableFuture().join().reason()).isEqualTo(Loss.Reason.SESSION_CLOSED);
    }

    @Test
    void behaviour_03_the_thread_that_works_under_a_lost_lock_is_interrupted_if_it_wants_to_be() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread worker = new Thread(() -> {
            try {
                new CountDownLatch(1).await(); // work that never ends
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
        });
        worker.start();
        Grant grant = alice.lock(key).acquire().interruptOnLoss(worker);
        reach().operator().force(key, grant.token(), "ops", "test");
        assertThat(interrupted.join()).isTrue();
    }

    @Test
    void behaviour_10_a_grant_is_renewed_without_end_unless_it_has_a_longest_hold() throws Exception {
        HoldfastClient brief = reach().client(Duration.ofSeconds(1));
        try (brief) {
            Grant kept = brief.lock(key + "/kept").acquire();
            Grant capped =
                    brief.lock(key + "/capped").maxHold(Duration.ofSeconds(3)).acquire();
            await().atMost(Duration.ofSeconds(30)).until(() -> !capped.isValid());
            assertThat(kept.isValid()).isTrue(); // three times its TTL has passed
            await().until(() ->
                    bob.lock(key + "/capped").tryAcquire().map(this::given).isPresent());
            assertThat(bob.lock(key + "/kept").tryAcquire()).isEmpty();
        }
    }

    private Grant given(Grant grant) {
        grant.close();
        return grant;
    }

    @Test
    void behaviour_11_a_closed_client_gives_everything_back_at_once() throws Exception {
        HoldfastClient closing = reach().client(Duration.ofHours(1));
        var unused = closing.lock(key).acquire();
        CompletableFuture<Grant> next = bob.lock(key).acquireAsync();
        awaitWaiters(1);
        closing.close();
        next.join().close();
    }

    @Test
    void behaviour_32_whoever_would_close_a_cycle_is_refused_with_the_cycle_spelt_out() throws Exception {
        String other = key + "/other";
        Grant mine = alice.lock(key).acquire();
        Thread crossing = new Thread(() -> {
            try (Grant first = bob.lock(other).acquire();
                    Grant second = bob.lock(key).acquire()) {
                assertThat(first.isValid() && second.isValid()).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        crossing.start();
        awaitWaiters(1);
        assertThatThrownBy(() -> alice.lock(other).acquire())
                .isInstanceOfSatisfying(
                        DeadlockException.class, e -> assertThat(e.cycle()).isNotEmpty());
        assertThat(mine.isValid()).isTrue();
        mine.close();
        crossing.join();
    }

    @Test
    void an_upgrade_gives_a_new_token_and_a_downgrade_keeps_it() throws Exception {
        Grant grant = alice.lock(key).shared().acquire();
        long token = grant.token();
        grant.upgrade();
        assertThat(grant.isShared()).isFalse();
        assertThat(grant.token()).isGreaterThan(token);
        assertThat(bob.lock(key).shared().tryAcquire()).isEmpty();
        long upgraded = grant.token();
        grant.downgrade();
        assertThat(grant.token()).isEqualTo(upgraded);
        bob.lock(key).shared().acquire().close();
        assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
    }

    @Test
    void an_upgrade_that_is_given_up_leaves_the_grant_shared_and_releasable() throws Exception {
        Grant grant = alice.lock(key).shared().acquire();
        Grant other = bob.lock(key).shared().acquire();
        assertThat(grant.upgrade(Duration.ofMillis(100))).isFalse();
        assertThat(grant.isShared()).isTrue();
        Thread.currentThread().interrupt();
        assertThatThrownBy(grant::upgrade).isInstanceOf(InterruptedException.class);
        other.close();
        assertThat(grant.release()).isEqualTo(Grant.Outcome.RELEASED);
    }

    @Test
    void a_grant_closed_while_it_is_being_upgraded_is_released() throws Exception {
        Grant grant = alice.lock(key).shared().acquire();
        Grant other = bob.lock(key).shared().acquire();
        CompletableFuture<Void> upgrading = CompletableFuture.runAsync(() -> {
            try {
                grant.upgrade();
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        awaitWaiters(1);
        grant.close();
        assertThatThrownBy(upgrading::join).hasCauseInstanceOf(LockLostException.class);
        assertThat(other.release()).isEqualTo(Grant.Outcome.RELEASED);
    }

    @Test
    void behaviour_34_a_grant_can_be_carried_to_another_client_and_only_that_one_keeps_it_alive() throws Exception {
        Grant grant = alice.lock(key).lease(Duration.ofSeconds(1)).acquire();
        String text = grant.export();
        assertThat(grant.isValid()).isFalse();
        Grant adopted = bob.adopt(text);
        assertThat(adopted.token()).isEqualTo(grant.token());
        alice.close();
        CompletableFuture<Loss> loss = adopted.lost().toCompletableFuture();
        await().during(Duration.ofSeconds(2)).until(() -> adopted.isValid() && !loss.isDone());
        assertThat(adopted.release()).isEqualTo(Grant.Outcome.RELEASED);
        assertThatThrownBy(() -> bob.adopt(text)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> bob.adopt("hf2.garbage")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_grant_that_was_taken_over_ends_with_its_longest_hold() throws Exception {
        Grant grant = alice.lock(key)
                .lease(Duration.ofSeconds(30))
                .maxHold(Duration.ofSeconds(2))
                .acquire();
        Grant adopted = bob.adopt(grant.export());
        assertThat(adopted.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(2));
        await().until(() -> !adopted.isValid());
        try (Grant next = alice.lock(key).acquire()) {
            assertThat(next.token()).isGreaterThan(adopted.token());
        }
    }

    @Test
    void an_upgrade_ends_with_the_grant_that_it_is_of() throws Exception {
        Grant grant = alice.lock(key).shared().maxHold(Duration.ofSeconds(1)).acquire();
        try (Grant other = bob.lock(key).shared().acquire()) {
            assertThatThrownBy(grant::upgrade).isInstanceOf(LockLostException.class);
            assertThat(other.isValid()).isTrue();
        }
    }

    @Test
    void a_grant_is_upgraded_and_downgraded_without_a_thread_that_waits() throws Exception {
        try (Grant grant = alice.lock(key).shared().acquire()) {
            assertThat(grant.upgradeAsync(Duration.ofSeconds(10)).get()).isTrue();
            assertThat(grant.isShared()).isFalse();
            assertThat(grant.downgradeAsync().get()).isTrue();
            assertThat(grant.isShared()).isTrue();
        }
    }

    @Test
    void only_a_grant_with_a_lease_of_its_own_can_be_exported() throws Exception {
        try (Grant grant = alice.lock(key).acquire()) {
            assertThatThrownBy(grant::export)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("lease(Duration)");
            assertThat(grant.isValid()).isTrue();
        }
    }

    @Test
    void what_a_grant_says_about_itself_is_shown_and_can_be_changed() throws Exception {
        try (Grant grant = alice.lock(key).purpose("reindex").acquire()) {
            var holder = reach().operator().locks(key).get(0).getHolders(0);
            assertThat(holder.getPurpose()).isEqualTo("reindex");
            assertThat(holder.getMetadata().toStringUtf8()).contains("host=").contains("thread=");
            grant.describe("v2".getBytes(StandardCharsets.UTF_8));
            assertThat(reach().operator()
                            .locks(key)
                            .get(0)
                            .getHolders(0)
                            .getMetadata()
                            .toStringUtf8())
                    .isEqualTo("v2");
        }
    }

    @Test
    void bad_input_is_refused_by_name_and_changes_nothing() {
        assertThatThrownBy(() -> alice.lock("").acquire()).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> alice.lock("x".repeat(10_000)).acquire())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("the limit is 512");
        assertThatThrownBy(() -> alice.lockAll()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> alice.lock(key).waitAtMost(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait");
        assertThatThrownBy(() -> alice.lock(key).lease(Duration.ofDays(10_000)).acquire())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("ttl");
        assertThat(reach().operator().locks(key)).isEmpty();
    }

    @Test
    void a_closed_client_refuses_and_says_so() {
        alice.close();
        assertThatThrownBy(() -> alice.lock(key).acquire()).hasMessageContaining("closed");
        assertThatThrownBy(() -> alice.lock(key).acquireAsync().join()).hasMessageContaining("closed");
    }

    @Test
    void an_optional_grant_can_be_had_without_waiting() throws Exception {
        Optional<Grant> maybe = alice.lock(key)
                .shared()
                .waitAtMost(Duration.ofSeconds(5))
                .lease(Duration.ofSeconds(10))
                .maxHold(Duration.ofMinutes(5))
                .purpose("reindex")
                .tryAcquire();
        assertThat(maybe).isPresent();
        maybe.get().close();
    }

    private void awaitWaiters(int count) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(reach().operator().waiters(key)).isEqualTo(count));
    }
}
