package dev.holdfast.client.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.UnavailableException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldsTest {
    private static final boolean READ = true;
    private static final boolean WRITE = false;

    private final Holds holds = new Holds();

    private StubGrant enter(String key, boolean shared) {
        StubGrant grant = new StubGrant(shared);
        assertThat(holds.enter(key, shared, true, () -> Optional.of(grant))).isTrue();
        return grant;
    }

    private void again(boolean shared) {
        assertThat(holds.enter("a", shared, true, HoldsTest::nothingToTake)).isTrue();
    }

    private static Optional<Grant> nothingToTake() {
        throw new AssertionError("the cluster was asked for what the thread has");
    }

    @Test
    void behaviour_23_nothing_is_kept_of_locks_that_are_not_held() {
        for (int i = 0; i < 1_000; i++) {
            enter("name-" + i, i % 2 == 0);
            holds.leave("name-" + i, i % 2 == 0);
        }
        assertThat(holds.enter("a", WRITE, true, Optional::empty)).isFalse();
        assertThatThrownBy(() -> holds.enter("a", WRITE, true, () -> {
                    throw new UnavailableException("nobody there");
                }))
                .isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(holds.size()).isZero();
    }

    @Test
    void the_outermost_leave_gives_the_grant_back() {
        StubGrant grant = enter("a", WRITE);
        again(WRITE);
        again(READ);
        holds.leave("a", READ);
        holds.leave("a", WRITE);
        assertThat(grant.isValid()).isTrue();
        holds.leave("a", WRITE);
        assertThat(grant.state()).isEqualTo(Grant.State.RELEASED);
        assertThat(holds.size()).isZero();
    }

    @Test
    void the_last_write_leaves_a_shared_grant_to_the_reads_that_remain() {
        StubGrant grant = enter("a", WRITE);
        again(READ);
        again(WRITE);
        holds.leave("a", WRITE);
        assertThat(grant.isShared()).isFalse();
        holds.leave("a", WRITE);
        assertThat(grant.isShared()).isTrue();
        assertThat(grant.isValid()).isTrue();
        holds.leave("a", READ);
        assertThat(grant.state()).isEqualTo(Grant.State.RELEASED);
    }

    @Test
    void an_interrupt_does_not_keep_a_leaving_writer_from_letting_readers_in() {
        StubGrant grant = enter("a", WRITE);
        again(READ);
        grant.failOnce(new InterruptedException());
        holds.leave("a", WRITE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(grant.isShared()).isTrue();
    }

    @Test
    void a_writer_that_cannot_tell_the_cluster_has_unlocked_all_the_same_and_tells_it_with_the_next_read() {
        StubGrant grant = enter("a", WRITE);
        again(READ);
        again(READ);
        grant.failOnce(new UnavailableException("nobody there"));
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(grant.isShared()).isFalse();
        holds.leave("a", READ);
        assertThat(grant.isShared()).isTrue();
        holds.leave("a", READ);
        assertThat(grant.state()).isEqualTo(Grant.State.RELEASED);
    }

    @Test
    void a_reader_that_wants_to_write_is_refused_before_it_waits_for_itself() {
        enter("a", READ);
        assertThatThrownBy(() -> holds.enter("a", WRITE, true, HoldsTest::nothingToTake))
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining("unlock that first");
        assertThat(holds.enter("a", WRITE, false, HoldsTest::nothingToTake)).isFalse();
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(IllegalMonitorStateException.class);
        holds.leave("a", READ);
    }

    @Test
    void more_holds_than_can_be_counted_are_an_error_and_change_nothing() {
        StubGrant grant = enter("a", WRITE);
        for (int i = 1; i < Hold.MOST; i++) {
            again(WRITE);
        }
        assertThatExceptionOfType(Error.class)
                .isThrownBy(() -> again(WRITE))
                .withMessageContaining("maximum lock count exceeded");
        again(READ);
        holds.leave("a", READ);
        for (int i = 0; i < Hold.MOST; i++) {
            assertThat(grant.isValid()).isTrue();
            holds.leave("a", WRITE);
        }
        assertThat(grant.state()).isEqualTo(Grant.State.RELEASED);
    }

    @Test
    void a_lost_hold_says_so_until_the_thread_has_left_every_block_and_then_it_is_forgotten() {
        StubGrant grant = enter("a", WRITE);
        again(WRITE);
        grant.lose();
        assertThatThrownBy(() -> again(WRITE)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> again(READ)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> again(WRITE)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(LockLostException.class);
        assertThat(holds.size()).isZero();
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(enter("a", WRITE).isValid()).isTrue();
    }

    @Test
    void whoever_asked_and_was_told_of_the_loss_need_not_unlock_before_locking_anew() {
        StubGrant grant = enter("a", WRITE);
        grant.lose();
        Hold hold = holds.mine("a", WRITE).orElseThrow();
        assertThatThrownBy(hold::requireValidOrForsake).isInstanceOf(LockLostException.class);
        StubGrant fresh = enter("a", WRITE);
        holds.leave("a", WRITE);
        assertThat(fresh.state()).isEqualTo(Grant.State.RELEASED);
        assertThat(holds.size()).isZero();
    }

    @Test
    void whoever_asked_and_was_told_of_the_loss_may_unlock_all_the_same() {
        StubGrant grant = enter("a", WRITE);
        grant.lose();
        Hold hold = holds.mine("a", WRITE).orElseThrow();
        assertThatThrownBy(hold::requireValidOrForsake).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> holds.leave("a", WRITE)).isInstanceOf(LockLostException.class);
        assertThat(holds.size()).isZero();
    }
}
