package dev.holdfast.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {
    @Test
    void ranges_are_a_list_of_numbers() {
        Slots slots = Slots.ofRanges(List.of(0, 2, 5, 5, 9, 10));
        assertThat(slots).containsExactly(0, 1, 2, 5, 9, 10).hasToString("0-2, 5, 9-10");
        assertThat(slots.last(1)).isEqualTo(5);
        assertThat(slots.last(2)).isEqualTo(10);
        assertThat(Slots.NONE).isEmpty();
        assertThatThrownBy(() -> slots.get(6)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void ranges_that_are_not_in_order_are_refused() {
        assertThatThrownBy(() -> Slots.ofRanges(List.of(3, 4, 4, 5))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Slots.ofRanges(List.of(3, 2))).isInstanceOf(IllegalArgumentException.class);
    }
}
