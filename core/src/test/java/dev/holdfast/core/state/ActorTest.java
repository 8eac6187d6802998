package dev.holdfast.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ActorTest {
    /** Clients choose the numbers: those whose halves are equal all have the same hash. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void names_chosen_to_meet_are_told_apart_by_their_order() {
        int count = 200_000;
        Map<Actor.Name, Long> actors = new HashMap<>();
        for (long i = 0; i < count; i++) {
            actors.put(name(i), i);
        }
        assertThat(name(1)).hasSameHashCodeAs(name(2));
        for (long i = 0; i < count; i++) {
            assertThat(actors.get(name(i))).isEqualTo(i);
        }
    }

    private static Actor.Name name(long half) {
        return new Actor.Name("p", "c", half << 32 | half);
    }
}
