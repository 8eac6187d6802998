package dev.holdfast.simulator.promise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import org.junit.jupiter.api.Test;

class DurabilityTest {
    private final Findings findings = new Findings(new World(1, Trace.hashed()));
    private final Durability durability = new Durability(findings);
    private final Object entry = new Object();

    @Test
    void the_same_entry_may_be_committed_by_all_and_again_after_a_restart() {
        durability.committed("n1", 0, entry);
        durability.committed("n2", 0, entry);
        durability.committed("n1", 0, entry);
        durability.check("n1", 0);
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void another_entry_in_the_place_of_a_committed_one_is_found() {
        durability.committed("n1", 0, entry);
        durability.committed("n2", 0, new Object());
        assertThat(findings.all()).hasSize(1);
    }

    @Test
    void a_committed_entry_that_nobody_has_any_more_is_found() {
        durability.committed("n1", 7, entry);
        durability.check("n2", 6);
        assertThat(findings.all()).hasSize(1);
    }

    @Test
    void a_restored_cluster_begins_anew() {
        durability.committed("n1", 7, entry);
        durability.restored();
        durability.committed("n1", 7, new Object());
        assertThat(findings.all()).isEmpty();
    }
}
