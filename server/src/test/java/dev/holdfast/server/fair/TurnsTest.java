package dev.holdfast.server.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnsTest {
    private static final int SMALL = 128;

    private record Thing(Flow flow, long number, int cost) {}

    private final Turns<Thing> turns = new Turns<>();
    private long number;

    private void add(Flow flow, int count, int cost) {
        for (int i = 0; i < count; i++) {
            turns.add(flow, cost, new Thing(flow, ++number, cost));
        }
    }

    private List<Thing> take(int count) {
        List<Thing> taken = new ArrayList<>();
        for (Thing next = turns.poll(); next != null; next = taken.size() < count ? turns.poll() : null) {
            taken.add(next);
        }
        return taken;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void each_flow_keeps_its_order_and_nothing_is_lost_or_starves(long seed) {
        Random random = new Random(seed);
        Map<Flow, Long> last = new HashMap<>();
        Map<Flow, Long> waitingSince = new HashMap<>();
        long taken = 0;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(100) < (step < 15_000 ? 52 : 20)) {
                int party = random.nextInt(8);
                // The first of them asks for most of it.
                Flow flow = random.nextBoolean() ? flow(0, random.nextInt(2)) : flow(party, random.nextInt(3));
                add(flow, 1, 1 + random.nextInt(random.nextInt(50) == 0 ? 60_000 : 500));
                waitingSince.putIfAbsent(flow, taken);
            } else if (!turns.isEmpty()) {
                Thing next = Objects.requireNonNull(turns.poll(), () -> "seed " + seed);
                assertThat(next.number()).isGreaterThan(last.getOrDefault(next.flow(), 0L));
                last.put(next.flow(), next.number());
                // 8 parties of 3 connections: what a debt of 60,000 takes to be paid, times all of them.
                assertThat(taken - waitingSince.getOrDefault(next.flow(), taken))
                        .isLessThan(24 * 64 * 20);
                waitingSince.put(next.flow(), ++taken);
            }
        }
        int left = turns.size();
        assertThat(turns.clear()).hasSize(left);
        assertThat(turns.isEmpty()).isTrue();
        assertThat(turns.round()).isZero();
        assertThat(taken + left).isEqualTo(number);
    }

    private static Flow flow(int party, int connection) {
        return new Flow("p" + party, "c" + connection);
    }

    @Test
    void shares_are_equal_within_one_turn_whatever_things_cost() {
        Flow small = flow(1, 1);
        Flow large = flow(2, 1);
        add(large, 1_000, 10 * SMALL);
        add(small, 10_000, SMALL);
        long ofSmall = 0;
        long ofLarge = 0;
        for (Thing thing : take(2_000)) {
            if (thing.flow().equals(small)) {
                ofSmall += thing.cost();
            } else {
                ofLarge += thing.cost();
            }
            assertThat(Math.abs(ofSmall - ofLarge)).isLessThanOrEqualTo(Turns.TURN + 10 * SMALL);
        }
    }

    @Test
    void a_party_with_many_connections_gets_no_more_than_one_with_one() {
        for (int connection = 0; connection < 50; connection++) {
            add(flow(1, connection), 100, SMALL);
        }
        add(flow(2, 1), 5_000, SMALL);
        long ofMany = take(4_000).stream()
                .filter(thing -> thing.flow().party().equals("p1"))
                .count();
        assertThat(ofMany).isBetween(1_900L, 2_100L);
    }

    @Test
    void one_who_comes_late_is_served_within_a_turn_of_each_other() {
        for (int party = 0; party < 10; party++) {
            add(flow(party, 1), 1_000, SMALL);
        }
        take(777);
        Flow late = flow(99, 1);
        add(late, 1, SMALL);
        assertThat(take(10 * Turns.TURN / SMALL + 1))
                .anyMatch(thing -> thing.flow().equals(late));
    }

    @Test
    void one_thing_that_costs_many_turns_is_paid_for() {
        add(flow(1, 1), 2, 20 * Turns.TURN);
        add(flow(2, 1), 2_000, SMALL);
        List<Thing> taken = take(2_002);
        assertThat(taken.get(0).flow()).isEqualTo(flow(1, 1));
        int second = 0;
        for (int i = 1; i < taken.size() && second == 0; i++) {
            second = taken.get(i).flow().equals(flow(1, 1)) ? i : 0;
        }
        assertThat(second).isGreaterThan(15 * Turns.TURN / SMALL);
    }

    @Test
    void whole_lines_are_taken_out_and_the_others_go_on() {
        add(flow(1, 1), 10, SMALL);
        add(flow(1, 2), 10, SMALL);
        add(flow(2, 1), 10, SMALL);
        assertThat(turns.round()).isEqualTo(3L * Turns.TURN);
        List<Thing> taken = turns.clearLines(first -> !first.flow().equals(flow(1, 2)));
        assertThat(taken).hasSize(20).noneMatch(thing -> thing.flow().equals(flow(1, 2)));
        assertThat(turns.round()).isEqualTo(Turns.TURN);
        assertThat(turns.clear()).hasSize(10).allMatch(thing -> thing.flow().equals(flow(1, 2)));
    }
}
