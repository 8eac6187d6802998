package dev.holdfast.simulator.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class StoryTest {
    @ParameterizedTest
    @EnumSource(Story.class)
    void every_story_comes_out_right_and_the_same_each_time(Story story) {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        assertThat(story.tell(1, first::add)).as(String.join("\n", first)).isTrue();
        assertThat(story.tell(1, second::add)).isTrue();
        assertThat(second).isEqualTo(first);
    }

    @Test
    void the_store_refuses_the_one_who_woke_up_too_late() {
        List<String> lines = new ArrayList<>();
        assertThat(Story.FENCING.tell(2, lines::add)).isTrue();
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("store: takes what client-2 writes"));
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("store: REFUSES client-1"));
    }
}
