package dev.holdfast.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LockModelTest {

    @Nested
    class What_one_correct_lock_explains {
        @Test
        void nothing_at_all() {
            assertGood(new Tale());
        }

        @Test
        void one_client_after_another() {
            assertGood(new Tale()
                    .seesFree(0, 1)
                    .granted(2, 3, "a", 4)
                    .denied(4, 5, "b")
                    .seesHeld(6, 7, "a", 4)
                    .released(8, 9, "a", 4)
                    .notHeld(10, 11, "a", 4)
                    .granted(12, 13, "b", 9)
                    .expired(14, 15, "b", 9)
                    .seesFree(16, 17));
        }

        @Test
        void grant_during_the_release_it_follows() {
            assertGood(new Tale().granted(0, 1, "a", 1).released(2, 20, "a", 1).granted(3, 4, "b", 2));
        }

        @Test
        void reads_on_either_side_of_a_release_that_they_overlap() {
            assertGood(new Tale()
                    .granted(0, 1, "a", 1)
                    .released(2, 9, "a", 1)
                    .seesHeld(3, 4, "a", 1)
                    .seesFree(5, 6));
        }

        @Test
        void tokens_returned_in_another_order_than_given() {
            assertGood(new Tale().granted(0, 10, "b", 2).granted(0, 9, "a", 1).released(3, 10, "a", 1));
        }

        @Test
        void denial_that_overlaps_the_only_grant() {
            assertGood(new Tale().denied(0, 10, "b").granted(5, 6, "a", 1));
        }

        @Test
        void return_and_call_at_one_moment_count_as_overlapping() {
            assertGood(new Tale().granted(0, 5, "a", 1).seesFree(5, 6));
        }

        @Test
        void lost_acquire_that_was_granted_long_after_its_call() {
            assertGood(new Tale()
                    .unknown(0, "a", new LockInput.TryAcquire("a"))
                    .granted(1, 2, "b", 1)
                    .released(3, 4, "b", 1)
                    .seesHeld(5, 6, "a", 2)
                    .released(7, 8, "a", 2));
        }

        @Test
        void lost_acquire_that_never_arrived() {
            assertGood(new Tale()
                    .unknown(0, "a", new LockInput.TryAcquire("a"))
                    .seesFree(1, 2)
                    .granted(3, 4, "b", 1));
        }

        @Test
        void lost_release_that_arrived() {
            assertGood(new Tale()
                    .granted(0, 1, "a", 1)
                    .unknown(2, "a", new LockInput.Release("a", 1))
                    .denied(3, 4, "b")
                    .granted(5, 6, "b", 2));
        }

        @Test
        void lease_that_may_have_expired_at_any_time_after() {
            assertGood(new Tale()
                    .granted(0, 1, "a", 1)
                    .unknown(2, "expiry", new LockInput.Expire("a", 1))
                    .seesHeld(3, 4, "a", 1)
                    .granted(5, 6, "b", 2));
        }

        @Test
        void unseen_token_is_known_once_it_is_read() {
            Tale told = new Tale()
                    .unknown(0, "a", new LockInput.TryAcquire("a"))
                    .notHeld(1, 2, "a", 3)
                    .seesHeld(3, 4, "a", 5);
            assertGood(told);
            assertRefused(told.notHeld(5, 6, "a", 5));
        }
    }

    @Nested
    class What_no_correct_lock_explains {
        @Test
        void two_grants_at_a_time() {
            assertRefused(new Tale().granted(0, 1, "a", 1).granted(2, 3, "b", 2));
        }

        @Test
        void two_overlapping_grants_without_a_release() {
            assertThat(new Tale().granted(0, 9, "a", 1).granted(0, 9, "b", 2).verdict())
                    .isInstanceOf(Verdict.NotLinearizable.class);
        }

        @Test
        void stale_read_after_a_completed_release() {
            assertRefused(
                    new Tale().granted(0, 1, "a", 1).released(2, 3, "a", 1).seesHeld(4, 5, "a", 1));
        }

        @Test
        void read_that_misses_a_completed_grant() {
            assertRefused(new Tale().granted(0, 1, "a", 1).seesFree(2, 3));
        }

        @Test
        void reads_that_go_back_and_forth() {
            assertRefused(new Tale()
                    .granted(0, 1, "a", 1)
                    .released(2, 20, "a", 1)
                    .seesFree(3, 4)
                    .seesHeld(5, 6, "a", 1));
        }

        @Test
        void token_that_goes_backwards() {
            assertRefused(
                    new Tale().granted(0, 1, "a", 7).released(2, 3, "a", 7).granted(4, 5, "b", 6));
        }

        @Test
        void token_that_is_given_twice() {
            assertRefused(new Tale().granted(0, 1, "a", 7).expired(2, 3, "a", 7).granted(4, 5, "b", 7));
        }

        @Test
        void token_with_no_room_for_an_unseen_one_below_it() {
            assertRefused(new Tale()
                    .granted(0, 1, "a", 1)
                    .released(2, 3, "a", 1)
                    .unknown(4, "b", new LockInput.TryAcquire("b"))
                    .denied(5, 6, "c")
                    .unknown(7, "b", new LockInput.Expire("b", 2))
                    .granted(8, 9, "c", 2));
        }

        @Test
        void unseen_token_that_is_the_one_a_release_has_missed() {
            for (long missed : new long[] {1, 3}) {
                assertRefused(new Tale()
                        .unknown(0, "a", new LockInput.TryAcquire("a"))
                        .denied(1, 2, "b")
                        .notHeld(3, 4, "a", missed)
                        .seesHeld(5, 6, "a", missed));
            }
        }

        @Test
        void lost_release() {
            assertRefused(
                    new Tale().granted(0, 1, "a", 1).released(2, 3, "a", 1).denied(4, 5, "b"));
        }

        @Test
        void denial_when_the_lock_was_surely_free() {
            assertRefused(new Tale().denied(0, 1, "a"));
        }

        @Test
        void grant_by_a_request_that_had_failed_definitely() {
            assertRefused(new Tale()
                    .granted(0, 1, "a", 1)
                    .denied(2, 3, "b")
                    .released(4, 5, "a", 1)
                    .seesHeld(6, 7, "b", 2));
        }

        @Test
        void release_of_what_another_holds() {
            assertRefused(new Tale().granted(0, 1, "a", 1).released(2, 3, "b", 1));
        }

        @Test
        void release_with_an_old_token() {
            assertRefused(new Tale()
                    .granted(0, 1, "a", 1)
                    .released(2, 3, "a", 1)
                    .granted(4, 5, "a", 2)
                    .released(6, 7, "a", 1));
        }

        @Test
        void not_held_while_held() {
            assertRefused(new Tale().granted(0, 1, "a", 1).notHeld(2, 3, "a", 1));
        }

        @Test
        void effect_of_an_operation_of_unknown_outcome_before_its_call() {
            assertThat(new Tale()
                            .seesHeld(0, 1, "a", 1)
                            .unknown(2, "a", new LockInput.TryAcquire("a"))
                            .verdict())
                    .isInstanceOf(Verdict.NotLinearizable.class);
        }

        @Test
        void effect_of_one_lost_acquire_twice() {
            assertRefused(new Tale()
                    .unknown(0, "a", new LockInput.TryAcquire("a"))
                    .seesHeld(1, 2, "a", 1)
                    .released(3, 4, "a", 1)
                    .seesHeld(5, 6, "a", 2));
        }

        @Test
        void answer_that_does_not_belong_to_the_question() {
            assertRefused(new Tale().acquire(0, 1, "a", new LockOutput.Released()));
        }
    }

    private static void assertGood(Tale tale) {
        assertThat(tale.verdict()).isInstanceOf(Verdict.Linearizable.class);
    }

    /** Refused because of its last operation: everything before it is explained, and it alone cannot follow. */
    private static void assertRefused(Tale tale) {
        assertThat(tale.verdict())
                .isInstanceOfSatisfying(
                        Verdict.NotLinearizable.class,
                        refused -> assertThat(refused.blocked())
                                .filteredOn(operation -> operation.output().isPresent())
                                .singleElement()
                                .isEqualTo(tale.last()));
    }
}
