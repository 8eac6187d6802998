package dev.holdfast.simulator.promise;

import static dev.holdfast.simulator.promise.Facts.exclusive;
import static dev.holdfast.simulator.promise.Facts.granted;
import static dev.holdfast.simulator.promise.Facts.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulator.world.SimulatedProcess;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BeliefTest {

    private final World world = new World(1, Trace.hashed());
    private final Findings findings = new Findings(world);
    private final Belief belief = new Belief(findings);
    private final SimulatedProcess process = new SimulatedProcess(world, "c1", 0);

    /** A client that believes what the test wants it to. */
    private static final class Believed implements BelievedGrant {
        private final long token;
        private Duration remaining = Duration.ofSeconds(3);

        Believed(long token) {
            this.token = token;
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public boolean isValid() {
            return !remaining.isZero();
        }

        @Override
        public Duration remaining() {
            return remaining;
        }

        void givesUp() {
            remaining = Duration.ZERO;
        }
    }

    private Believed told(long token) {
        Believed holding = new Believed(token);
        belief.told(process, holding);
        return holding;
    }

    private void grant(long token) {
        belief.happened(granted(token, 1, token, 0, exclusive("a")));
    }

    private void end(long token) {
        belief.happened(released(token + 1, 1, token, token, exclusive("a")));
    }

    private List<String> broken() {
        return findings.all().stream().map(Findings.Finding::promise).toList();
    }

    @Test
    void one_who_gave_up_before_the_end_did_nothing_wrong() {
        grant(1);
        told(1).givesUp();
        end(1);
        assertThat(broken()).isEmpty();
    }

    @Test
    void one_who_believes_beyond_the_end_is_found() {
        grant(1);
        var unused = told(1);
        assertThat(broken()).isEmpty();
        end(1);
        assertThat(broken()).containsExactly("belief");
    }

    @Test
    void one_who_is_told_after_the_end_and_believes_it_is_found() {
        grant(1);
        end(1);
        var unused = told(1);
        assertThat(broken()).containsExactly("belief");
    }

    @Test
    void one_who_is_told_of_a_grant_that_nobody_made_is_found() {
        grant(1);
        var unused = told(2);
        assertThat(broken()).containsExactly("acknowledgement");
    }

    @Test
    void a_sleeper_is_looked_at_when_it_wakes_up() {
        grant(1);
        var unused = told(1);
        process.stop();
        end(1);
        belief.look();
        assertThat(broken()).as("while it does nothing").isEmpty();
        process.resume();
        belief.look();
        assertThat(broken()).containsExactly("belief");
    }

    @Test
    void a_sleeper_that_gives_up_when_it_wakes_up_did_nothing_wrong() {
        grant(1);
        Believed holding = told(1);
        process.stop();
        end(1);
        process.resume();
        holding.givesUp();
        belief.look();
        assertThat(broken()).isEmpty();
    }

    @Test
    void the_dead_believe_nothing() {
        grant(1);
        var unused = told(1);
        process.kill();
        end(1);
        assertThat(broken()).isEmpty();
    }

    @Test
    void one_who_believes_what_a_restore_forgot_is_found_when_another_is_granted_it() {
        grant(1);
        Believed first = told(1);
        belief.restored();
        belief.happened(granted(10, 2, 1, 0, exclusive("b")));
        assertThat(broken()).as("something else is granted").isEmpty();
        belief.happened(granted(11, 2, 2, 0, exclusive("a")));
        assertThat(broken()).containsExactly("belief");
        first.givesUp();
        belief.happened(released(12, 2, 2, 11, exclusive("a")));
        belief.happened(granted(13, 3, 1, 0, exclusive("a")));
        assertThat(broken()).as("it believes no more").hasSize(1);
    }
}
