package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who is charged for what finding events takes. */
class FindingCostsTest {
    private final AtomicLong time = new AtomicLong();
    private final FindingCosts costs = new FindingCosts(time::get);
    private final CallerWatches ann = new CallerWatches(new WatchBounds(1, 1, 1, 1, 1, 1), new AtomicLong());

    @Test
    void what_nobody_wants_is_charged_to_nobody() {
        costs.begin();
        for (int i = 0; i < 9; i++) {
            costs.countEvent();
        }
        costs.count(ann, 1);
        time.set(1_000_000);
        assertThat(costs.settle()).isEmpty();
        assertThat(ann.turns.paidInNanos(time.get())).isEqualTo(9_000_000);
    }

    @Test
    void many_steps_are_charged_however_long_they_take() {
        costs.begin();
        costs.count(ann, 50_000);
        time.set(90_000_000);
        assertThat(costs.settle()).isEmpty();
        assertThat(ann.turns.paidInNanos(time.get())).isEqualTo(8_910_000_000L);
    }
}
