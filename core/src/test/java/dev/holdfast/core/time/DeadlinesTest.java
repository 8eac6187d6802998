package dev.holdfast.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final List<Timer.What> KINDS = List.of(Timer.What.values());

    private static final class Alarm extends Timer {
        private final What what;
        private final long order;

        Alarm(What what, long order) {
            this.what = what;
            this.order = order;
        }

        @Override
        public What what() {
            return what;
        }

        @Override
        public long order() {
            return order;
        }
    }

    @Test
    void deadline_is_rounded_up_to_the_grid() {
        assertThat(Deadlines.tickOf(0)).isEqualTo(0);
        assertThat(Deadlines.tickOf(1)).isEqualTo(1);
        assertThat(Deadlines.tickOf(16)).isEqualTo(1);
        assertThat(Deadlines.tickOf(17)).isEqualTo(2);
        assertThat(Deadlines.tickReachedAt(15)).isEqualTo(0);
        assertThat(Deadlines.tickReachedAt(16)).isEqualTo(1);
    }

    /** Whatever was set, put off, moved up or cancelled, and wherever the caller stopped last time. */
    @Test
    void timers_come_in_order_of_tick_what_and_number() {
        for (long seed = 1; seed <= 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Deadlines deadlines = new Deadlines();
            List<Alarm> set = new ArrayList<>();
            long now = 0;
            for (int round = 0; round < 40; round++) {
                change(random, deadlines, set, now);
                now += random.nextInt(200);
                int most = random.nextInt(1, 10);
                for (int i = 0; i < most; i++) {
                    Alarm expected = first(set, now);
                    Timer next = deadlines.nextDue(now);
                    assertThat(next).as("seed %d, round %d", seed, round).isSameAs(expected);
                    if (next == null) {
                        break;
                    }
                    deadlines.cancel(next);
                    set.remove(next);
                }
                Alarm earliest = first(set, Long.MAX_VALUE);
                if (earliest != null) {
                    assertThat(deadlines.earliestMillis()).isLessThanOrEqualTo(earliest.tick() << 4);
                }
            }
        }
    }

    private static void change(SplittableRandom random, Deadlines deadlines, List<Alarm> set, long now) {
        for (int i = random.nextInt(8); i > 0; i--) {
            Alarm alarm = new Alarm(KINDS.get(random.nextInt(KINDS.size())), random.nextLong());
            // Now and then in the past, as when a margin that was in force is lowered.
            long from = random.nextInt(10) == 0 ? Math.max(0, now - 100) : now + 1;
            deadlines.set(alarm, Deadlines.tickOf(from + random.nextInt(500)));
            set.add(alarm);
        }
        for (Alarm alarm : List.copyOf(set)) {
            int chance = random.nextInt(10);
            if (chance == 0) {
                deadlines.cancel(alarm);
                set.remove(alarm);
            } else if (chance < 4 && !alarm.isDueAt(now)) {
                deadlines.set(alarm, Deadlines.tickOf(now + 1 + random.nextInt(500)));
            }
        }
    }

    private static @Nullable Alarm first(List<Alarm> set, long now) {
        return set.stream()
                .filter(alarm -> alarm.isDueAt(now))
                .min(Comparator.comparingLong(Alarm::tick).thenComparing(Timer::inOrder))
                .orElse(null);
    }
}
