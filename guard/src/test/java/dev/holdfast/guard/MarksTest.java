package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Verdict.Entered;
import dev.holdfast.guard.Verdict.OutOfOrder;
import dev.holdfast.guard.Verdict.Stale;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rule, access by access. */
@Timeout(60)
class MarksTest {
    private Marks marks = Marks.NONE;

    @Test
    void exclusive_access_fences_out_every_older_one() {
        enters(exclusive(34));
        refuses(exclusive(33), 34);
        refuses(shared(33), 34);
        refuses(permit(33, 0), 34);
        enters(exclusive(35));
    }

    @Test
    void equal_token_is_the_same_grant_and_passes() {
        enters(exclusive(33));
        enters(exclusive(33));
        enters(permit(40, 2));
        enters(permit(40, 2));
    }

    @Test
    void readers_do_not_fence_each_other_out() {
        enters(shared(35));
        enters(shared(34));
        enters(shared(36));
    }

    @Test
    void reader_fences_out_an_older_writer_for_its_lock_was_gone_when_the_reader_got_in() {
        enters(shared(35));
        refuses(exclusive(34), 35);
        enters(exclusive(36));
    }

    @Test
    void older_reader_does_not_lower_what_a_newer_one_raised() {
        enters(shared(35));
        enters(shared(33));
        refuses(exclusive(34), 35);
    }

    @Test
    void grant_that_was_downgraded_reads_on_under_the_token_it_wrote_with() {
        enters(exclusive(33));
        enters(shared(33));
        enters(exclusive(33));
        enters(shared(34));
        refuses(exclusive(33), 34);
        enters(shared(33));
    }

    @Test
    void permits_are_fenced_slot_by_slot() {
        enters(permit(41, 0));
        enters(permit(40, 1));
        refuses(permit(40, 0), 41);
        enters(permit(42, 1));
        refuses(permit(40, 1), 42);
        enters(permit(41, 0));
    }

    @Test
    void key_that_becomes_a_semaphore_refuses_those_who_held_it_as_a_lock_and_back() {
        enters(exclusive(33));
        enters(permit(40, 3));
        refuses(exclusive(33), 40);
        refuses(shared(39), 40);
        enters(shared(50));
        refuses(permit(40, 3), 50);
        refuses(permit(41, 7), 50);
    }

    @Test
    void numbered_write_is_taken_once() {
        enters(exclusive(33).write(1));
        assertThat(marks.enter(exclusive(33).write(1)))
                .isInstanceOfSatisfying(
                        Entered.class, again -> assertThat(again.entry()).isEqualTo(Entry.REPEATED));
        enters(exclusive(33).write(5));
        assertThat(marks.enter(exclusive(33).write(4))).isEqualTo(new OutOfOrder(5));
        enters(exclusive(33));
        assertThat(marks.enter(exclusive(33).write(4))).isEqualTo(new OutOfOrder(5));
    }

    @Test
    void numbers_start_again_with_the_next_grant() {
        enters(exclusive(33).write(9));
        enters(exclusive(34).write(1));
        assertThat(marks.enter(exclusive(33).write(10))).isEqualTo(new Stale(34));
        enters(permit(40, 0).write(7));
        enters(permit(40, 1).write(1));
        assertThat(marks.enter(permit(40, 0).write(6))).isEqualTo(new OutOfOrder(7));
    }

    @Test
    void refused_access_leaves_no_trace() {
        enters(exclusive(34).write(3));
        Marks before = marks;
        assertThat(marks.enter(exclusive(33))).isEqualTo(new Stale(34));
        assertThat(marks.enter(exclusive(34).write(2))).isEqualTo(new OutOfOrder(3));
        assertThat(marks).isEqualTo(before);
    }

    /** The rule as a sentence: all accesses ever made are kept and looked through. */
    @Test
    void marks_say_what_all_that_entered_before_would_say() {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            marks = Marks.NONE;
            List<Access> entered = new ArrayList<>();
            for (int step = 0; step < 40; step++) {
                Access access = any(random);
                long highest = entered.stream()
                        .filter(other -> other.excludes(access))
                        .mapToLong(Access::token)
                        .filter(token -> token > access.token())
                        .max()
                        .orElse(0);
                if (highest > 0) {
                    assertThat(marks.enter(access))
                            .as("seed %d: %s after %s", seed, access, entered)
                            .isEqualTo(new Stale(highest));
                } else {
                    enters(access);
                    entered.add(access);
                }
                assertThat(Marks.parse(marks.text())).isEqualTo(marks);
            }
        }
    }

    private static Access any(Random random) {
        long token = random.nextLong(1, 31);
        return switch (random.nextInt(4)) {
            case 0 -> exclusive(token);
            case 1 -> shared(token);
            default -> permit(token, random.nextInt(3));
        };
    }

    @Test
    void text_that_is_none_is_refused() {
        for (String text : List.of("y1", "x1", "x-1:0", "x1:0,s2", "s99999999999999999999", "x0:3")) {
            assertThatThrownBy(() -> Marks.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Marks.parse("")).isEqualTo(Marks.NONE);
    }

    private void enters(Access access) {
        Verdict verdict = marks.enter(access);
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Entered.class, entered -> assertThat(entered.entry()).isEqualTo(Entry.NEW));
        marks = ((Entered) verdict).marks();
    }

    private void refuses(Access access, long highest) {
        assertThat(marks.enter(access)).isEqualTo(new Stale(highest));
    }

    private static Access exclusive(long token) {
        return Access.exclusive("a", token);
    }

    private static Access shared(long token) {
        return Access.shared("a", token);
    }

    private static Access permit(long token, int slot) {
        return Access.permit("a", token, slot);
    }
}
