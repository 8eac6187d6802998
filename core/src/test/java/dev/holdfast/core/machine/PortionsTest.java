package dev.holdfast.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease with very many locks is closed at once, and ends a part at a time. */
class PortionsTest {
    private static final String APP = "app";
    private static final int LOCKS = 200_000;
    private static final long PORTION = Limit.ENDS_PER_ENTRY.initial();
    private static final LeaseId MANY = new LeaseId(1);
    private static final LeaseId NEXT = new LeaseId(2);
    private static final LeaseId OTHER = new LeaseId(3);

    private final LockMachine machine = new LockMachine();
    private long now;
    private long seq;

    @BeforeEach
    void start() {
        apply(List.of(
                new Command.SetLimit(Limit.WAITERS_PER_LEASE, Limit.WAITERS_PER_LEASE.highest()),
                new Command.SetLimit(Limit.WAITERS_PER_PRINCIPAL, Limit.WAITERS_PER_PRINCIPAL.highest()),
                new Command.GrantLease(MANY, APP, "many", 10_000, 0),
                new Command.GrantLease(NEXT, APP, "next", 1_000_000, 0),
                new Command.GrantLease(OTHER, APP, "other", 1_000_000, 0)));
        List<Command> locks = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            locks.add(acquire(MANY, "k" + i));
        }
        for (int i = 0; i < LOCKS; i++) {
            locks.add(acquire(NEXT, "k" + i));
        }
        // Waits for a lock that the others of its own lease hold: must never get it.
        locks.add(acquire(MANY, "k0"));
        apply(locks);
    }

    private Applied apply(List<Command> commands, long... renewals) {
        return machine.apply(1, new Batch(1, now, now, renewals, commands));
    }

    private Command acquire(LeaseId lease, String key) {
        seq++;
        return new Command.Acquire(
                lease,
                APP,
                seq,
                seq,
                List.of(Item.exclusive(LockKey.of(key))),
                0,
                0,
                Command.WAIT_FOREVER,
                0,
                false,
                "",
                Metadata.NONE);
    }

    @Test
    void revoked_lease_ends_in_portions_and_others_go_on() {
        Applied revoked = apply(List.of(new Command.RevokeLease(MANY, APP)));

        assertThat(revoked.results()).containsExactly(new Result.LeaseRevoked());
        assertEndsInPortions(revoked, EndReason.LEASE_REVOKED);
    }

    @Test
    void expired_lease_ends_in_portions_and_others_go_on() {
        now += 20_000;
        assertEndsInPortions(apply(List.of()), EndReason.LEASE_EXPIRED);
    }

    private void assertEndsInPortions(Applied first, EndReason reason) {
        List<Event> events = new ArrayList<>(first.events());
        assertThat(ends(first)).isEqualTo(PORTION);
        assertThat(first.events().get(0)).isInstanceOf(Event.Left.class);
        int entries = 1;
        while (events.stream().noneMatch(Event.LeaseEnded.class::isInstance)) {
            assertThat(machine.nextDeadlineMillis()).as("more is due now").isLessThanOrEqualTo(now);
            Applied between = apply(List.of(), MANY.value());
            assertThat(between.renewedEnds()).containsExactly(Applied.NOT_RENEWED);
            assertThat(ends(between)).isLessThanOrEqualTo(PORTION);
            events.addAll(between.events());
            entries++;
            if (entries == 3) {
                assertOthersGoOn();
            }
        }
        // One more was that in which others went on.
        assertThat(entries).isEqualTo(LOCKS / PORTION);
        assertThat(machine.nextDeadlineMillis()).isGreaterThan(now);
        assertThat(machine.view().leaseCount()).isEqualTo(2);
        assertReleasedAndGrantedInOrder(events, reason);
    }

    private void assertOthersGoOn() {
        List<Result> results = apply(List.of(
                        acquire(OTHER, "free"),
                        acquire(MANY, "free too"),
                        new Command.RevokeLease(MANY, APP),
                        new Command.GrantLease(MANY, APP, "many", 10_000, 0)))
                .results();
        assertThat(results.get(0)).isInstanceOf(Result.Granted.class);
        assertThat(results.subList(1, 4)).allMatch(new Result.Refused(Refusal.LEASE_ENDED, "lease")::equals);
        assertThat(machine.view().lease(MANY, APP)).isEmpty();
        assertThat(machine.view().hasEnded(MANY)).isTrue();
    }

    /** What {@link #assertOthersGoOn} did is a portion, too, and its events are not among these. */
    private static void assertReleasedAndGrantedInOrder(List<Event> events, EndReason reason) {
        long lastReleased = 0;
        long lastQueued = 0;
        for (Event event : events) {
            if (event instanceof Event.Released released) {
                assertThat(released.reason()).isEqualTo(reason);
                assertThat(released.token().value()).isGreaterThan(lastReleased);
                lastReleased = released.token().value();
            } else if (event instanceof Event.Granted granted) {
                assertThat(granted.party().lease()).isEqualTo(NEXT);
                assertThat(granted.queuedRevision()).isGreaterThan(lastQueued);
                lastQueued = granted.queuedRevision();
            }
        }
        assertThat(lastQueued).isPositive();
    }

    private static long ends(Applied applied) {
        return applied.events().stream()
                .filter(event -> !(event instanceof Event.Granted))
                .count();
    }
}
