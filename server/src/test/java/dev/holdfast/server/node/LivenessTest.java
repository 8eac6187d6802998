package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LivenessTest {
    private static final Duration STALL = Duration.ofSeconds(4);
    private static final long LOOK_MILLIS = 500;

    private long millis;
    private long applied;
    private boolean works;
    private long steps;
    private boolean proposes = true;
    private final Liveness liveness =
            new Liveness(() -> millis * 1_000_000, STALL, () -> applied, () -> works, () -> steps);

    private void pass(long length) {
        for (long passed = 0; passed < length; passed += LOOK_MILLIS) {
            millis += LOOK_MILLIS;
            steps += proposes ? 1 : 0;
            liveness.look();
        }
    }

    @Test
    void a_node_without_work_may_apply_nothing_for_as_long_as_it_likes() {
        pass(60_000);
        assertThat(liveness.look()).isEmpty();
    }

    @Test
    void work_that_waits_while_nothing_is_applied_is_a_problem_until_something_is() {
        works = true;
        pass(4_000);
        assertThat(liveness.look()).isEmpty();
        pass(500);
        assertThat(liveness.look()).get().asString().contains("nothing was applied for 4500 ms");
        applied++;
        assertThat(liveness.look()).isEmpty();
    }

    @Test
    void a_proposing_thread_that_takes_no_step_is_a_problem_and_hopeless_in_the_end() {
        proposes = false;
        pass(4_500);
        assertThat(liveness.look()).get().asString().contains("the thread that proposes has stood still");
        assertThat(liveness.isHopeless()).isFalse();
        pass(40_000);
        assertThat(liveness.isHopeless()).isTrue();
    }

    @Test
    void a_process_that_was_stopped_as_a_whole_has_not_hung() {
        works = true;
        pass(1_000);
        millis += 3_600_000;
        assertThat(liveness.look()).isEmpty();
    }
}
