package dev.holdfast.server.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoomTest {
    private final Room room = new Room("the room is full", 1_000, 1_000_000);

    private int fill(Flow flow, int bytes, int times) {
        int entered = 0;
        while (room.enter(flow, bytes, times) == null) {
            entered++;
        }
        return entered;
    }

    @Test
    void one_connection_gets_less_than_a_third_and_a_party_less_than_half() {
        assertThat(fill(new Flow("flood", "c1"), 1, 1)).isEqualTo(292); // n < (875 - n) - n
        for (int connection = 2; connection < 1_000; connection++) {
            fill(new Flow("flood", "c" + connection), 1, 1);
        }
        assertThat(room.size()).isEqualTo(438);
        assertThat(room.enter(new Flow("stranger", "c"), 1, 1)).isNull();
    }

    @Test
    void the_more_there_are_the_less_each_gets_but_the_next_gets_some() {
        Room large = new Room("full", 65_536, 64L * 1024 * 1024);
        for (int party = 0; party < 400; party++) {
            int entered = 0;
            while (large.enter(new Flow("p" + party, "c"), 100, 1) == null) {
                entered++;
            }
            assertThat(entered).as("party %s", party).isGreaterThanOrEqualTo(16);
        }
    }

    @Test
    void what_gives_back_finds_room_where_others_do_not() {
        Flow flow = new Flow("flood", "c1");
        fill(flow, 1, 1);
        assertThat(room.enter(flow, 1, 1)).isNotNull();
        assertThat(room.enter(flow, 1, 2)).isNull();
    }

    @Test
    void whoever_has_little_finds_room_also_where_others_give_back_very_much() {
        for (int party = 0; party < 3; party++) {
            for (int connection = 0; connection < 50; connection++) {
                fill(new Flow("flood" + party, "c" + connection), 1, 2);
            }
        }
        assertThat(room.size()).isGreaterThan(1_000);
        assertThat(room.enter(new Flow("stranger", "c"), 1, 1)).isNull();
    }

    @Test
    void a_refusal_names_the_limit_and_what_there_is() {
        Flow flow = new Flow("flood", "c1");
        fill(flow, 1, 1);
        assertThat(room.enter(flow, 1, 1))
                .isEqualTo(new Excess(
                        "queue",
                        291,
                        293,
                        "the room is full: 292 requests wait of at most 1000, 292 of this caller, 292 of this"
                                + " connection, which may have no more while so many wait"));
    }

    @Test
    void a_refusal_of_a_party_with_many_connections_names_what_the_party_may_have() {
        for (int connection = 0; connection < 1_000; connection++) {
            fill(new Flow("flood", "c" + connection), 1, 1);
        }
        Excess excess = Objects.requireNonNull(room.enter(new Flow("flood", "c0"), 1, 1));
        assertThat(excess.limit()).isEqualTo("queue");
        assertThat(excess.most()).isPositive();
        assertThat(excess.actual()).isGreaterThan(excess.most());
    }

    @Test
    void who_has_little_and_finds_the_room_itself_full_is_told_of_the_room() {
        for (int party = 0; party < 200; party++) {
            fill(new Flow("p" + party, "c"), 1, 2);
        }
        Excess excess = Objects.requireNonNull(room.enter(new Flow("newcomer", "c"), 1, 1));
        assertThat(excess.limit()).isEqualTo("queue");
        assertThat(excess.most()).isEqualTo(2_000);
        assertThat(excess.actual()).isEqualTo(2_001);
    }

    @Test
    void and_of_its_bytes() {
        int bytes = 15_000;
        int inside = 0;
        while (room.enter(new Flow("p" + inside, "c"), bytes, 2) == null) {
            inside++;
        }
        Excess excess = Objects.requireNonNull(room.enter(new Flow("newcomer", "c"), bytes, 1));
        assertThat(excess.limit()).isEqualTo("queue.bytes");
        assertThat(excess.most()).isEqualTo(2_000_000);
        assertThat(excess.actual()).isEqualTo((inside + 1L) * bytes).isGreaterThan(excess.most());
    }

    @Test
    void bytes_are_bounded_likewise() {
        assertThat(fill(new Flow("flood", "c1"), 10_000, 1)).isBetween(25, 32);
        Excess excess = Objects.requireNonNull(room.enter(new Flow("flood", "c1"), 10_000, 1));
        assertThat(excess.limit()).isEqualTo("queue.bytes");
        assertThat(excess.most()).isPositive();
        assertThat(excess.actual()).isGreaterThan(excess.most());
        assertThat(excess.message()).contains("of at most 1000000");
        assertThat(room.enter(new Flow("stranger", "c"), 10_000, 1)).isNull();
    }

    @Test
    void all_that_leaves_makes_room_again() {
        Random random = new Random(1);
        List<ArrayDeque<Integer>> inside = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            inside.add(new ArrayDeque<>());
        }
        for (int step = 0; step < 50_000; step++) {
            int who = random.nextInt(inside.size());
            Flow flow = new Flow("p" + who % 5, "c" + who);
            if (random.nextBoolean()) {
                int bytes = random.nextInt(20_000);
                if (room.enter(flow, bytes, 1) == null) {
                    inside.get(who).add(bytes);
                }
            } else if (!inside.get(who).isEmpty()) {
                room.leave(flow, inside.get(who).remove());
            }
            assertThat(room.size()).isLessThanOrEqualTo(1_000);
        }
        for (int who = 0; who < inside.size(); who++) {
            for (int bytes : inside.get(who)) {
                room.leave(new Flow("p" + who % 5, "c" + who), bytes);
            }
        }
        assertThat(room.size()).isZero();
        assertThat(fill(new Flow("p0", "c0"), 1, 1)).isEqualTo(292);
    }
}
