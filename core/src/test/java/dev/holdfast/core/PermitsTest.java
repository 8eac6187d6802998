package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PermitsTest {
    @Test
    void ranges_that_touch_become_one() {
        Permits permits = Permits.ofRanges(0, 1, 2, 2, 4, 6);
        assertThat(permits).hasToString("0-2,4-6").isEqualTo(Permits.ofRanges(0, 2, 4, 6));
        assertThat(permits.count()).isEqualTo(6);
        assertThat(permits.rangeCount()).isEqualTo(2);
        List<Integer> slots = new ArrayList<>();
        permits.forEachSlot(slots::add);
        assertThat(slots).containsExactly(0, 1, 2, 4, 5, 6);
    }

    @Test
    void permits_that_are_wanted_have_no_slots() {
        assertThat(Permits.wanted(3)).hasToString("3 wanted").isNotEqualTo(Permits.ofRanges(0, 2));
        assertThat(Permits.wanted(3).areHeld()).isFalse();
        assertThat(Permits.wanted(0)).isSameAs(Permits.NONE);
    }

    @Test
    void they_overlap_if_any_slot_is_the_same() {
        Permits some = Permits.ofRanges(0, 2, 10, 12);
        assertThat(some.overlap(Permits.ofRanges(3, 9, 12, 20))).isTrue();
        assertThat(some.overlap(Permits.ofRanges(3, 9, 13, 20))).isFalse();
        assertThat(some.overlap(Permits.NONE)).isFalse();
    }

    @Test
    void ranges_come_in_order() {
        assertThatThrownBy(() -> Permits.ofRanges(4, 5, 5, 6)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Permits.ofRanges(4, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Permits.ofRanges(4)).isInstanceOf(IllegalArgumentException.class);
    }
}
