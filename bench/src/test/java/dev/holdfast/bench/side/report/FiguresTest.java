package dev.holdfast.bench.side.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class FiguresTest {
    @Test
    void percentile_is_the_smallest_sample_that_so_many_do_not_exceed() {
        long[] hundred = LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray();
        assertThat(Figures.percentile(hundred, 0.5)).isEqualTo(50);
        assertThat(Figures.percentile(hundred, 0.99)).isEqualTo(99);
        assertThat(Figures.percentile(hundred, 1)).isEqualTo(100);
        assertThat(Figures.percentile(new long[] {7}, 0.5)).isEqualTo(7);
        assertThat(Figures.percentile(new long[] {7, 9}, 0.51)).isEqualTo(9);
    }

    @Test
    void nothing_has_no_percentile_and_no_median() {
        assertThatThrownBy(() -> Figures.percentile(new long[0], 0.5)).hasMessageContaining("no samples");
        assertThatThrownBy(() -> Figures.median(List.of())).hasMessageContaining("no values");
    }

    @Test
    void median_is_in_the_middle_whatever_the_order() {
        assertThat(Figures.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
        assertThat(Figures.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3.0);
    }

    @Test
    void longest_gap_is_found_at_the_start_in_between_and_across_threads() {
        assertThat(Figures.longestGap(100, new long[] {150, 160})).isEqualTo(50);
        assertThat(Figures.longestGap(100, new long[] {190, 101, 120})).isEqualTo(70);
    }

    @Test
    void what_happened_before_the_start_is_no_part_of_a_gap() {
        assertThat(Figures.longestGap(100, new long[] {5, 99, 110})).isEqualTo(10);
        assertThatThrownBy(() -> Figures.longestGap(100, new long[] {5, 99})).hasMessageContaining("nothing happened");
    }

    @Test
    void gaps_are_found_where_the_clock_passes_its_greatest_value() {
        long start = Long.MAX_VALUE - 5;
        assertThat(Figures.longestGap(start, new long[] {start + 4, start + 20}))
                .isEqualTo(16);
    }

    @Test
    void figures_are_shown_with_three_digits_that_count() {
        assertThat(Figures.format(12_345.6)).isEqualTo("12,300");
        assertThat(Figures.format(999.7)).isEqualTo("1,000");
        assertThat(Figures.format(45.67)).isEqualTo("45.7");
        assertThat(Figures.format(1.466)).isEqualTo("1.47");
        assertThat(Figures.format(0.0904)).isEqualTo("0.090");
    }
}
