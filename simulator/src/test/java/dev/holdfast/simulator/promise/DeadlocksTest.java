package dev.holdfast.simulator.promise;

import static dev.holdfast.simulator.promise.Facts.exclusive;
import static dev.holdfast.simulator.promise.Facts.granted;
import static dev.holdfast.simulator.promise.Facts.left;
import static dev.holdfast.simulator.promise.Facts.permit;
import static dev.holdfast.simulator.promise.Facts.permitWanted;
import static dev.holdfast.simulator.promise.Facts.queued;
import static dev.holdfast.simulator.promise.Facts.released;
import static dev.holdfast.simulator.promise.Facts.shared;
import static dev.holdfast.simulator.promise.Facts.started;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three clients with a lease and one thread each; what they ask for first has the seq 1, and so on. */
@Timeout(60)
class DeadlocksTest {
    private static final int CAPACITY = 2;

    private final Findings findings = new Findings(new World(1, Trace.hashed()));
    private final Deadlocks deadlocks = new Deadlocks(findings);
    private long index;

    @BeforeEach
    void begin() {
        LongStream.rangeClosed(1, 3).forEach(lease -> deadlocks.happened(started(lease, 0, lease, 1_000)));
    }

    private static Command.Acquire asks(long lease, long seq, long actor, Item... items) {
        return new Command.Acquire(
                new LeaseId(lease),
                "",
                seq,
                0,
                List.of(items),
                0,
                actor,
                Command.WAIT_FOREVER,
                0,
                false,
                "",
                Metadata.NONE);
    }

    private static Command.Acquire asks(long lease, long seq, String key) {
        return asks(lease, seq, 1, Item.exclusive(LockKey.of(key)));
    }

    private static Command.Upgrade upgrades(long lease, long seq, String key, long token) {
        return new Command.Upgrade(new LeaseId(lease), "", seq, 0, LockKey.of(key), token, 1, Command.WAIT_FOREVER);
    }

    private void applied(Command command, Result result, Event... events) {
        AppliedEntry entry = new AppliedEntry(
                1,
                ++index,
                0,
                0,
                Batch.of(1, 0, 0, List.of(command)),
                new Applied(0, 0, new long[0], List.of(result), List.of(events)));
        deadlocks.entry(entry, 0);
        Stream.of(events).forEach(deadlocks::happened);
        deadlocks.applied(entry);
    }

    /** What a command made happen; what was answered besides is of no interest. */
    private void applied(Command command, Event event) {
        applied(command, new Result.Changed(), event);
    }

    private void refused(Command command) {
        Result.Blocker blocker = new Result.Blocker(LockKey.of("a"), "c1", 1);
        applied(command, new Result.Refused(Refusal.DEADLOCK, "a", 0, 0, List.of(blocker)));
    }

    private boolean isKept() {
        return findings.isEmpty();
    }

    /** Lease 1 holds a and lease 2 holds b. */
    private void eachHoldsOne() {
        applied(asks(1, 1, "a"), granted(11, 1, 1, 0, exclusive("a")));
        applied(asks(2, 1, "b"), granted(12, 2, 1, 0, exclusive("b")));
    }

    @Test
    void two_who_wait_for_each_other_are_found_when_the_second_begins_to_wait() {
        eachHoldsOne();
        applied(asks(1, 2, "b"), queued(13, 1, 2, exclusive("b")));
        assertThat(isKept()).isTrue();
        applied(asks(2, 2, "a"), queued(14, 2, 2, exclusive("a")));
        assertThat(isKept()).isFalse();
    }

    @Test
    void one_who_is_told_instead_of_waiting_is_what_was_promised() {
        eachHoldsOne();
        applied(asks(1, 2, "b"), queued(13, 1, 2, exclusive("b")));
        refused(asks(2, 2, "a"));
        assertThat(isKept()).isTrue();
    }

    @Test
    void three_in_a_ring_are_found() {
        eachHoldsOne();
        applied(asks(3, 1, "c"), granted(13, 3, 1, 0, exclusive("c")));
        applied(asks(1, 2, "b"), queued(14, 1, 2, exclusive("b")));
        applied(asks(2, 2, "c"), queued(15, 2, 2, exclusive("c")));
        assertThat(isKept()).isTrue();
        applied(asks(3, 2, "a"), queued(16, 3, 2, exclusive("a")));
        assertThat(isKept()).isFalse();
    }

    @Test
    void a_ring_through_somebodys_place_in_a_queue_is_found() {
        applied(asks(1, 1, 1, Item.shared(LockKey.of("a"))), granted(11, 1, 1, 0, shared("a")));
        applied(asks(2, 1, "b"), granted(12, 2, 1, 0, exclusive("b")));
        applied(asks(3, 1, "a"), queued(13, 3, 1, exclusive("a")));
        applied(asks(1, 2, "b"), queued(14, 1, 2, exclusive("b")));
        assertThat(isKept()).isTrue();
        // Nobody holds it against this one, but an older request waits that would be in its way.
        applied(asks(2, 2, 1, Item.shared(LockKey.of("a"))), queued(15, 2, 2, shared("a")));
        assertThat(isKept()).isFalse();
    }

    @Test
    void one_who_waits_for_itself_is_found() {
        applied(asks(1, 1, "a"), granted(11, 1, 1, 0, exclusive("a")));
        applied(asks(1, 2, "a"), queued(12, 1, 2, exclusive("a")));
        assertThat(isKept()).isFalse();
    }

    @Test
    void permits_are_enough_if_enough_of_their_holders_can_finish() {
        Item one = Item.permits(LockKey.of("s"), CAPACITY, 1);
        applied(asks(1, 1, 1, one), granted(11, 1, 1, 0, permit("s", 0)));
        applied(asks(2, 1, 1, one), granted(12, 2, 1, 0, permit("s", 1)));
        applied(asks(3, 1, "a"), granted(13, 3, 1, 0, exclusive("a")));
        applied(asks(1, 2, "a"), queued(14, 1, 2, exclusive("a")));
        applied(asks(3, 2, 1, one), queued(15, 3, 2, permitWanted("s")));
        assertThat(isKept()).as("2 can give its permit back").isTrue();
        applied(asks(2, 2, "a"), queued(16, 2, 2, exclusive("a")));
        assertThat(isKept()).isFalse();
    }

    @Test
    void two_upgrades_of_one_key_are_found() {
        applied(asks(1, 1, 0, Item.shared(LockKey.of("a"))), granted(11, 1, 1, 0, shared("a")));
        applied(asks(2, 1, 0, Item.shared(LockKey.of("a"))), granted(12, 2, 1, 0, shared("a")));
        applied(upgrades(1, 2, "a", 11), queued(13, 1, 2, exclusive("a")));
        assertThat(isKept()).isTrue();
        applied(upgrades(2, 2, "a", 12), queued(14, 2, 2, exclusive("a")));
        assertThat(isKept()).isFalse();
    }

    @Test
    void one_who_does_several_things_at_a_time_waits_for_nobody() {
        applied(asks(1, 1, 0, Item.exclusive(LockKey.of("a"))), granted(11, 1, 1, 0, exclusive("a")));
        applied(asks(2, 1, "b"), granted(12, 2, 1, 0, exclusive("b")));
        applied(asks(1, 2, 0, Item.exclusive(LockKey.of("b"))), queued(13, 1, 2, exclusive("b")));
        applied(asks(2, 2, "a"), queued(14, 2, 2, exclusive("a")));
        assertThat(isKept()).isTrue();
    }

    @Test
    void who_left_or_gave_back_is_in_nobodys_way() {
        eachHoldsOne();
        applied(asks(1, 2, "b"), queued(13, 1, 2, exclusive("b")));
        deadlocks.happened(left(14, 1, 2, exclusive("b")));
        applied(asks(2, 2, "a"), queued(15, 2, 2, exclusive("a")));
        deadlocks.happened(released(16, 2, 1, 12, exclusive("b")));
        applied(asks(1, 3, "b"), granted(17, 1, 3, 0, exclusive("b")));
        applied(asks(3, 1, "b"), queued(18, 3, 1, exclusive("b")));
        assertThat(isKept()).isTrue();
    }

    @Test
    void one_who_is_told_of_a_deadlock_that_is_none_is_found() {
        eachHoldsOne();
        refused(asks(3, 1, "a"));
        assertThat(isKept()).isFalse();
    }

    @Test
    void an_answer_that_is_repeated_when_the_deadlock_is_over_is_fine() {
        eachHoldsOne();
        applied(asks(1, 2, "b"), queued(13, 1, 2, exclusive("b")));
        refused(asks(2, 2, "a"));
        deadlocks.happened(left(14, 1, 2, exclusive("b")));
        refused(asks(2, 2, "a"));
        assertThat(isKept()).isTrue();
    }

    @Test
    void a_deadlock_without_a_cycle_to_show_is_found() {
        eachHoldsOne();
        applied(asks(1, 2, "b"), queued(13, 1, 2, exclusive("b")));
        applied(asks(2, 2, "a"), new Result.Refused(Refusal.DEADLOCK, "a"));
        assertThat(isKept()).isFalse();
    }
}
