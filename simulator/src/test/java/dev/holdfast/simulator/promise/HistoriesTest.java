package dev.holdfast.simulator.promise;

import static dev.holdfast.simulator.promise.Facts.exclusive;
import static dev.holdfast.simulator.promise.Facts.granted;
import static dev.holdfast.simulator.promise.Facts.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulator.check.LockInput;
import dev.holdfast.simulator.check.LockOutput;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients c1 and c2, who have the leases 1 and 2, use the lock x. */
@Timeout(60)
class HistoriesTest {
    private final World world = new World(1, Trace.hashed());
    private final Findings findings = new Findings(world);
    private final Histories histories = new Histories(world, findings, "x");

    private Histories.Call tries(String client) {
        return histories.call("x", client, new LockInput.TryAcquire(client));
    }

    private Histories.Call reads(String client) {
        return histories.call("x", client, new LockInput.Read());
    }

    private Histories.Call gives(String client, long token) {
        return histories.call("x", client, new LockInput.Release(client, token));
    }

    /** Lets time pass, so that what comes is after what was. */
    private void returned(Histories.Call call, LockOutput output) {
        world.run(1);
        call.returned(output);
        world.run(1);
    }

    private void isGranted(long lease, long token) {
        world.run(1);
        histories.happened(granted(token, lease, token, 0, exclusive("x")));
        world.run(1);
    }

    private void ends(long lease, long token) {
        world.run(1);
        histories.happened(released(token + 1, lease, token, token, exclusive("x")));
        world.run(1);
    }

    private boolean isExplained() {
        assertThat(histories.check()).as("the search came to an end").isTrue();
        return findings.isEmpty();
    }

    @Test
    void one_after_the_other_is_explained() {
        returned(tries("c1"), new LockOutput.Granted(1));
        returned(tries("c2"), new LockOutput.Denied());
        returned(gives("c1", 1), new LockOutput.Released());
        returned(tries("c2"), new LockOutput.Granted(5));
        returned(reads("c1"), LockOutput.Holder.of("c2", 5));
        assertThat(isExplained()).isTrue();
    }

    @Test
    void two_holders_at_once_are_found() {
        returned(tries("c1"), new LockOutput.Granted(1));
        returned(tries("c2"), new LockOutput.Granted(5));
        assertThat(isExplained()).isFalse();
    }

    @Test
    void a_read_of_what_is_over_is_found() {
        returned(tries("c1"), new LockOutput.Granted(1));
        returned(gives("c1", 1), new LockOutput.Released());
        returned(reads("c2"), LockOutput.Holder.of("c1", 1));
        assertThat(isExplained()).isFalse();
    }

    @Test
    void a_read_at_the_same_time_may_see_either() {
        returned(tries("c1"), new LockOutput.Granted(1));
        Histories.Call before = reads("c2");
        Histories.Call after = reads("c2");
        returned(gives("c1", 1), new LockOutput.Released());
        returned(before, LockOutput.Holder.of("c1", 1));
        returned(after, LockOutput.Holder.NONE);
        assertThat(isExplained()).isTrue();
    }

    @Test
    void a_refusal_of_a_free_lock_is_found() {
        returned(tries("c1"), new LockOutput.Denied());
        assertThat(isExplained()).isFalse();
    }

    @Test
    void what_the_caller_was_never_told_of_counts_from_when_it_was_applied() {
        Histories.Call lost = tries("c1");
        isGranted(1, 1);
        returned(reads("c2"), LockOutput.Holder.of("c1", 1));
        ends(1, 1);
        returned(tries("c2"), new LockOutput.Granted(5));
        assertThat(lost).as("never returned").isNotNull();
        assertThat(isExplained()).isTrue();
    }

    @Test
    void what_nobody_applied_and_nobody_was_told_of_did_not_happen() {
        Histories.Call lost = tries("c1");
        returned(reads("c2"), LockOutput.Holder.of("c1", 1));
        assertThat(lost).as("never returned").isNotNull();
        assertThat(isExplained()).isFalse();
    }

    @Test
    void a_grant_that_ended_before_its_lease_did_is_found() {
        returned(tries("c1"), new LockOutput.Granted(1));
        returned(tries("c2"), new LockOutput.Granted(5));
        ends(1, 1);
        assertThat(isExplained()).isFalse();
    }

    @Test
    void what_comes_after_a_restore_is_not_looked_at() {
        returned(tries("c1"), new LockOutput.Granted(1));
        histories.restored();
        returned(tries("c2"), new LockOutput.Granted(5));
        assertThat(isExplained()).isTrue();
    }

    @Test
    void what_was_wrong_before_a_restore_is_found() {
        returned(tries("c1"), new LockOutput.Denied());
        histories.restored();
        assertThat(isExplained()).isFalse();
    }

    @Test
    void keys_of_others_are_left_alone() {
        histories.happened(granted(1, 1, 1, 0, exclusive("a")));
        histories.happened(granted(2, 2, 1, 0, exclusive("a")));
        assertThat(isExplained()).isTrue();
    }
}
