package dev.holdfast.bench.side.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.bench.side.Plan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class OptionsTest {
    @Test
    void defaults_warm_up_for_25_s_and_repeat_three_times() {
        Options options = Options.parse(List.of("b"));
        assertThat(options.experiments()).containsExactly(List.of(Experiment.of("B")));
        assertThat(options.plan()).isEqualTo(new Plan(Duration.ofSeconds(25), Duration.ofSeconds(10), 3));
    }

    @Test
    void all_shows_every_experiment_once() {
        assertThat(Options.parse(List.of("all")).experiments())
                .allMatch(group -> group.size() == 1)
                .flatExtracting(group -> group.get(0).shown())
                .containsExactlyInAnyOrderElementsOf(Experiment.ALL);
    }

    @Test
    void what_is_given_counts() {
        Options options = Options.parse(
                List.of("A", "D", "--warm-up=1", "--seconds=2", "--systems=redis-fair,etcd", "--jvm=-Xmx2g -Xms2g"));
        assertThat(options.experiments()).containsExactly(List.of(Experiment.of("A")), List.of(Experiment.of("D")));
        assertThat(options.systems()).containsExactly(Entrant.REDIS_FAIR, Entrant.ETCD);
        assertThat(options.flags()).containsExactly("-Xmx2g", "-Xms2g");
    }

    @Test
    void letters_in_one_word_share_a_cluster() {
        assertThat(Options.parse(List.of("AD", "B")).experiments())
                .containsExactly(List.of(Experiment.of("A"), Experiment.of("D")), List.of(Experiment.of("B")));
        assertThatThrownBy(() -> Options.parse(List.of("AE"))).hasMessageContaining("only [A, B, C, D, G]");
    }

    @Test
    void what_is_wrong_is_named() {
        assertThatThrownBy(() -> Options.parse(List.of())).hasMessageContaining("which experiment");
        assertThatThrownBy(() -> Options.parse(List.of("Z"))).hasMessageContaining("Z: not one of [A, B");
        assertThatThrownBy(() -> Options.parse(List.of("A", "--warm-up=0"))).hasMessageContaining("--warm-up=0");
        assertThatThrownBy(() -> Options.parse(List.of("A", "--worm-up=1"))).hasMessageContaining("no such option");
        assertThatThrownBy(() -> Options.parse(List.of("A", "--systems=mysql"))).hasMessageContaining("mysql");
    }
}
