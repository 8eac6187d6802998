package dev.holdfast.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Run;
import dev.holdfast.cli.Subprocess;
import dev.holdfast.cli.exit.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SimulateTest {
    @Test
    void a_seed_is_replayed_to_the_same_trace_in_another_process() throws Exception {
        Run here = Run.of("", "simulate", "--seed", "11", "--operations", "300");
        Run there = Subprocess.run("", "simulate", "--seed", "11", "--operations", "300");
        assertThat(here.code()).as(here.out() + here.err()).isEqualTo(ExitCode.OK);
        assertThat(here.out()).contains("seed 11:", "trace ", "every promise was kept");
        assertThat(there.out()).isEqualTo(here.out());
    }

    @Test
    void a_trace_shows_every_step() {
        Run run = Run.of("", "simulate", "--seed", "3", "--operations", "30", "--trace");
        assertThat(run.out()).contains("wants [", "leads term 1", "applies entry");
    }

    @Test
    void many_seeds_are_summed_up() {
        Run run = Run.of("", "simulate", "--seeds", "4", "--operations", "100");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("4 seeds, ", "0 with a broken promise");
    }

    @Test
    void a_story_is_told() {
        Run run = Run.of("", "simulate", "--scenario", "fencing");
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("store: REFUSES client-1", "It came out right.");
    }

    @Test
    void what_cannot_be_simulated_is_refused() {
        assertThat(Run.of("", "simulate", "--seeds", "0").err()).contains("--seeds: at least 1, was 0");
        assertThat(Run.of("", "simulate", "--scenario", "tragedy").code()).isEqualTo(ExitCode.USAGE);
        assertThat(Run.of("", "simulate", "--seeds", "2", "--trace").err()).contains("--trace: only for one seed");
    }
}
