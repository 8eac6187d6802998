package dev.holdfast.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one change sets free is granted a part at a time, if it is much. */
class GrantPortionsTest {
    private static final String APP = "app";
    private static final int WAITERS = 50_000;
    private static final LeaseId HOLDER = new LeaseId(1);
    private static final LeaseId CROWD = new LeaseId(2);
    private static final LeaseId OTHER = new LeaseId(3);

    private final LockMachine machine = new LockMachine();
    private long seq;

    @BeforeEach
    void start() {
        apply(
                new Command.GrantLease(HOLDER, APP, "holder", 10_000, 0),
                new Command.GrantLease(CROWD, APP, "crowd", 10_000, 0),
                new Command.GrantLease(OTHER, APP, "other", 10_000, 0));
    }

    private Applied apply(Command... commands) {
        return machine.apply(1, Batch.of(1, 0, 0, List.of(commands)));
    }

    private static Item item(String key, Kind kind, Mode mode) {
        return new Item(LockKey.of(key), kind, mode, 0, 0);
    }

    private long hold(LeaseId lease, Item item) {
        return ((Result.Granted) apply(acquire(lease, item)).results().get(0))
                .token()
                .value();
    }

    private static List<Long> granted(Applied applied) {
        return applied.events().stream()
                .filter(Event.Granted.class::isInstance)
                .map(event -> ((Event.Granted) event).queuedRevision())
                .toList();
    }

    @Test
    void readers_that_waited_for_one_key_are_granted_in_portions() {
        long token = hold(HOLDER, item("k", Kind.PLAIN, Mode.EXCLUSIVE));
        for (int i = 0; i < WAITERS; i++) {
            apply(acquire(CROWD, item("k", Kind.PLAIN, Mode.SHARED)));
        }
        Applied released = apply(new Command.Release(HOLDER, APP, LockKey.of("k"), token, 0));
        List<Long> order = new ArrayList<>(granted(released));
        long portion = Limit.GRANTS_PER_ENTRY.initial();
        assertThat(order).hasSize((int) portion);

        // Whoever comes in between does not overtake those whose turn is yet to come.
        Applied between = apply(acquire(OTHER, item("k", Kind.PLAIN, Mode.EXCLUSIVE)));
        assertThat(between.results().get(0)).isInstanceOf(Result.Queued.class);
        assertThat(granted(between)).hasSize((int) portion);
        order.addAll(granted(between));

        while (machine.nextDeadlineMillis() == 0) {
            Applied next = apply();
            assertThat(next.events()).isNotEmpty().hasSizeLessThanOrEqualTo((int) portion);
            order.addAll(granted(next));
        }
        assertThat(order).hasSize(WAITERS).isSorted();
    }

    @Test
    void looking_in_vain_is_done_in_portions() {
        apply(new Command.SetLimit(Limit.TRIES_PER_ENTRY, 1_000));
        Item tree = item("t", Kind.SUBTREE, Mode.SHARED);
        hold(OTHER, tree);
        long token = hold(HOLDER, tree);
        int waiters = 5_000;
        for (int i = 0; i < waiters; i++) {
            apply(acquire(CROWD, item("t/" + i, Kind.PLAIN, Mode.EXCLUSIVE)));
        }
        assertThat(machine.nextDeadlineMillis()).isPositive();
        // All of them are parked at the top of the tree, and another one still holds it.
        apply(new Command.Release(HOLDER, APP, LockKey.of("t"), token, 0));
        int entries = 1;
        while (machine.nextDeadlineMillis() == 0) {
            assertThat(apply().events()).isEmpty();
            entries++;
        }
        // Each looks at its claim, and at the lock above, which is in its way.
        assertThat(entries).isEqualTo(2 * waiters / 1_000);
    }

    @Test
    void whoever_was_looked_at_already_is_looked_at_again_when_its_lock_changes_meanwhile() {
        Item tree = item("t", Kind.SUBTREE, Mode.SHARED);
        long first = hold(HOLDER, tree);
        long second = hold(OTHER, tree);
        int waiters = 10;
        for (int i = 0; i < waiters; i++) {
            apply(acquire(CROWD, item("t/" + i, Kind.PLAIN, Mode.EXCLUSIVE)));
        }
        apply(new Command.SetLimit(Limit.TRIES_PER_ENTRY, 2));
        apply(new Command.Release(HOLDER, APP, LockKey.of("t"), first, 0));
        assertThat(machine.nextDeadlineMillis())
                .as("only the first was looked at, in vain")
                .isZero();
        List<Long> order = new ArrayList<>(granted(apply(new Command.Release(OTHER, APP, LockKey.of("t"), second, 0))));
        while (machine.nextDeadlineMillis() == 0) {
            order.addAll(granted(apply()));
        }
        // Those who were looked at already have their turn when the others have had theirs.
        assertThat(order).hasSize(waiters).doesNotHaveDuplicates();
    }

    /** What a try costs must count, also where nothing that is in the way can be there. */
    @Test
    void all_keys_of_a_set_and_all_locks_above_them_count_as_looked_at() {
        hold(OTHER, item("elsewhere", Kind.SUBTREE, Mode.SHARED));
        long token = hold(HOLDER, plain("a"));
        int above = 9;
        for (int i = 1; i <= above; i++) {
            hold(OTHER, plain("d/".repeat(i) + "d"));
        }
        int waiters = 10;
        for (int i = 0; i < waiters; i++) {
            Item below = plain("d/".repeat(above) + "d" + i);
            apply(acquire(CROWD, item("a", Kind.PLAIN, Mode.SHARED), below));
        }
        // Two claims, the locks of both, and those on the way down.
        int cost = 2 + 2 + above;
        apply(new Command.SetLimit(Limit.TRIES_PER_ENTRY, 2L * cost));
        int granted = granted(apply(release(HOLDER, "a", token))).size();
        int entries = 1;
        while (machine.nextDeadlineMillis() == 0) {
            granted += granted(apply()).size();
            entries++;
        }
        assertThat(granted).isEqualTo(waiters);
        assertThat(entries).isEqualTo(waiters / 2);
    }

    private Command acquire(LeaseId lease, Item... items) {
        seq++;
        return new Command.Acquire(
                lease, APP, seq, seq, List.of(items), 0, 0, Command.WAIT_FOREVER, 0, false, "", Metadata.NONE);
    }

    private static Item plain(String key) {
        return item(key, Kind.PLAIN, Mode.EXCLUSIVE);
    }

    private Command release(LeaseId lease, String key, long token) {
        return new Command.Release(lease, APP, LockKey.of(key), token, 0);
    }

    /**
     * A semaphore's turn has come, but not for the oldest who waits for it, who was parked elsewhere until somebody else
     * stood in his way. When that one is granted, the oldest is to be tried again.
     */
    @Test
    void whoever_was_passed_over_is_tried_again_when_the_one_in_the_way_is_granted() {
        apply(new Command.SetLimit(Limit.GRANTS_PER_ENTRY, 1));
        Item permit = Item.permits(LockKey.of("s"), 3, 1);
        long s = hold(HOLDER, Item.permits(LockKey.of("s"), 3, 3));
        long a = hold(HOLDER, plain("a"));
        long b = hold(HOLDER, plain("b"));
        long g1 = hold(HOLDER, plain("g1"));
        long g2 = hold(HOLDER, plain("g2"));
        apply(acquire(CROWD, plain("g1")));
        apply(acquire(CROWD, plain("a"), permit));
        apply(acquire(CROWD, plain("b"), permit));
        apply(acquire(CROWD, plain("g2")));
        apply(acquire(CROWD, permit));
        apply(release(HOLDER, "g1", g1), release(HOLDER, "b", b), release(HOLDER, "s", s), release(HOLDER, "g2", g2));
        List<Long> order = new ArrayList<>(granted(apply(release(HOLDER, "a", a))));
        while (machine.nextDeadlineMillis() == 0) {
            order.addAll(granted(apply()));
        }
        assertThat(order).as("granted after the first").hasSize(4);
    }
}
