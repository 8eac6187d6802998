package dev.holdfast.simulator.promise;

import static dev.holdfast.simulator.promise.Facts.exclusive;
import static dev.holdfast.simulator.promise.Facts.expired;
import static dev.holdfast.simulator.promise.Facts.granted;
import static dev.holdfast.simulator.promise.Facts.left;
import static dev.holdfast.simulator.promise.Facts.permit;
import static dev.holdfast.simulator.promise.Facts.queued;
import static dev.holdfast.simulator.promise.Facts.released;
import static dev.holdfast.simulator.promise.Facts.shared;
import static dev.holdfast.simulator.promise.Facts.started;
import static dev.holdfast.simulator.promise.Facts.subtree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Applied;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each check finds what it is there for, and nothing where nothing is wrong. */
@Timeout(60)
class PromisesTest {
    private final Findings findings = new Findings(new World(1, Trace.hashed()));

    private List<String> broken(Promise promise, Event... events) {
        Stream.of(events).forEach(promise::happened);
        return findings.all().stream().map(Findings.Finding::promise).distinct().toList();
    }

    @Test
    void two_holders_of_one_key_are_found() {
        assertThat(broken(
                        new Exclusion(findings),
                        granted(1, 1, 1, 0, exclusive("a")),
                        granted(2, 2, 1, 0, exclusive("a"))))
                .containsExactly("exclusion");
    }

    @Test
    void a_key_below_a_held_subtree_is_found() {
        assertThat(broken(
                        new Exclusion(findings),
                        granted(1, 1, 1, 0, subtree("a")),
                        granted(2, 2, 1, 0, shared("a/b/c"))))
                .containsExactly("exclusion");
    }

    @Test
    void a_slot_that_is_given_twice_is_found() {
        assertThat(broken(
                        new Exclusion(findings),
                        granted(1, 1, 1, 0, permit("s", 0)),
                        granted(2, 2, 1, 0, permit("s", 1)),
                        granted(3, 3, 1, 0, permit("s", 1))))
                .containsExactly("exclusion");
    }

    @Test
    void readers_neighbours_and_those_who_come_after_are_no_conflict() {
        assertThat(broken(
                        new Exclusion(findings),
                        granted(1, 1, 1, 0, shared("a")),
                        granted(2, 2, 1, 0, shared("a")),
                        granted(3, 3, 1, 0, subtree("b")),
                        granted(4, 4, 1, 0, exclusive("bc")),
                        granted(5, 5, 1, 0, permit("s", 0)),
                        granted(6, 6, 1, 0, permit("s", 1)),
                        released(7, 3, 1, 3, subtree("b")),
                        granted(8, 7, 1, 0, exclusive("b/c"))))
                .isEmpty();
    }

    @Test
    void an_end_without_a_beginning_is_found() {
        assertThat(broken(new Exclusion(findings), released(2, 1, 1, 1, exclusive("a"))))
                .containsExactly("exclusion");
    }

    @Test
    void a_token_that_does_not_grow_is_found() {
        assertThat(broken(
                        new TokenOrder(findings),
                        granted(5, 1, 1, 0, exclusive("a")),
                        granted(3, 2, 1, 0, exclusive("a"))))
                .containsExactly("token order");
    }

    @Test
    void one_who_overtakes_is_found() {
        assertThat(broken(
                        new FirstComeFirstServed(findings),
                        queued(1, 1, 1, exclusive("a")),
                        queued(2, 2, 1, exclusive("a")),
                        granted(3, 2, 1, 2, exclusive("a"))))
                .containsExactly("first come, first served");
    }

    @Test
    void a_reader_that_overtakes_a_waiting_writer_is_found() {
        assertThat(broken(
                        new FirstComeFirstServed(findings),
                        queued(1, 1, 1, exclusive("a")),
                        granted(2, 2, 1, 0, shared("a"))))
                .containsExactly("first come, first served");
    }

    @Test
    void who_left_or_wants_something_else_is_not_overtaken() {
        assertThat(broken(
                        new FirstComeFirstServed(findings),
                        queued(1, 1, 1, exclusive("a")),
                        queued(2, 2, 1, exclusive("b")),
                        left(3, 1, 1, exclusive("a")),
                        granted(4, 3, 1, 0, exclusive("a")),
                        granted(5, 2, 1, 2, exclusive("b"))))
                .isEmpty();
    }

    @Test
    void a_request_that_is_carried_out_twice_is_found() {
        assertThat(broken(
                        new ExactlyOnce(findings),
                        granted(1, 1, 1, 0, exclusive("a")),
                        granted(2, 1, 1, 0, exclusive("b"))))
                .containsExactly("exactly once");
    }

    @Test
    void a_lease_that_ends_before_its_time_is_found() {
        LeaseLife life = new LeaseLife(findings);
        life.entry(entry(1_000), 0);
        life.happened(started(1, 1_000, 1, 5_000));
        life.entry(entry(5_999), 6_000_000_000L);
        assertThat(broken(life, expired(2, 5_999, 1))).containsExactly("lease life");
    }

    @Test
    void a_clock_that_runs_ahead_of_the_world_is_found() {
        LeaseLife life = new LeaseLife(findings);
        life.entry(entry(1_000), 0);
        life.happened(started(1, 1_000, 1, 5_000));
        life.entry(entry(6_000), 4_000_000_000L);
        assertThat(broken(life, expired(2, 6_000, 1))).containsExactly("lease life");
    }

    @Test
    void a_lease_that_ends_at_its_end_is_fine() {
        LeaseLife life = new LeaseLife(findings);
        life.entry(entry(1_000), 0);
        life.happened(started(1, 1_000, 1, 5_000));
        life.entry(entry(6_000), 5_000_000_000L);
        assertThat(broken(life, expired(2, 6_000, 1))).isEmpty();
        assertThat(life.alive()).isZero();
    }

    @Test
    void nodes_that_disagree_are_found() {
        Chronicle chronicle = new Chronicle(findings, List.of());
        chronicle.applied("n1", entry(1), index -> 0);
        chronicle.applied("n2", entry(2), index -> 0);
        assertThat(findings.all()).extracting(Findings.Finding::promise).containsExactly("agreement");
    }

    private static AppliedEntry entry(long now) {
        return new AppliedEntry(
                1, 7, 0, 0, Batch.of(1, now, 0, List.of()), new Applied(now, 0, new long[0], List.of(), List.of()));
    }
}
