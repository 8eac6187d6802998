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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever has others looked at in vain in every entry holds nobody up but himself. */
class SweepTest {
    private static final String APP = "app";
    private static final LeaseId HOLDER = new LeaseId(1);
    private static final LeaseId ROGUE = new LeaseId(2);
    private static final LeaseId VICTIM = new LeaseId(3);
    private static final int KEYS = 30;
    private static final int ENTRIES = 20;

    private final LockMachine machine = new LockMachine();
    private long seq;

    @BeforeEach
    void start() {
        for (LeaseId lease : List.of(HOLDER, ROGUE, VICTIM)) {
            apply(new Command.GrantLease(lease, APP, "c" + lease, 10_000, 0));
        }
    }

    private Applied apply(Command... commands) {
        return machine.apply(1, Batch.of(1, 0, 0, List.of(commands)));
    }

    private Command acquire(LeaseId lease, Item... items) {
        seq++;
        return new Command.Acquire(
                lease, APP, seq, seq, List.of(items), 0, 0, Command.WAIT_FOREVER, 0, false, "", Metadata.NONE);
    }

    private Command cancel(LeaseId lease, long request) {
        return new Command.Cancel(lease, APP, request, 0);
    }

    private static Item item(String key, Kind kind, Mode mode) {
        return new Item(LockKey.of(key), kind, mode, 0, 0);
    }

    private static Item plain(String key) {
        return item(key, Kind.PLAIN, Mode.EXCLUSIVE);
    }

    private static Item shared(String key) {
        return item(key, Kind.PLAIN, Mode.SHARED);
    }

    private long hold(LeaseId lease, Item... items) {
        return ((Result.Granted) apply(acquire(lease, items)).results().get(0))
                .token()
                .value();
    }

    /** The victim waits for a key; answers what sets it free. */
    private Command victimWaits() {
        long token = hold(HOLDER, plain("k"));
        apply(acquire(VICTIM, plain("k")));
        return new Command.Release(HOLDER, APP, LockKey.of("k"), token, 0);
    }

    /** A wait that is given up at once: all who are parked on these keys are to be tried again. */
    private List<Command> trigger(Item... items) {
        Command waits = acquire(ROGUE, items);
        return List.of(waits, cancel(ROGUE, seq));
    }

    private boolean victimIsGranted(Applied applied) {
        return applied.events().stream()
                .anyMatch(event -> event instanceof Event.Granted granted
                        && granted.party().lease().equals(VICTIM));
    }

    /** Keys below p that a waiting subtree is made to look at, and at the end one that it waits for. */
    private void crowdedSubtree() {
        for (int i = 10; i < 10 + KEYS; i++) {
            hold(ROGUE, shared("p/" + i));
        }
        hold(HOLDER, plain("p/z"));
    }

    private Command subtree() {
        return acquire(ROGUE, item("p", Kind.SUBTREE, Mode.SHARED));
    }

    @Test
    void subtrees_that_are_looked_at_in_vain_in_every_entry_hold_up_nobody_else() {
        crowdedSubtree();
        apply(subtree());
        apply(subtree());
        Command freed = victimWaits();
        apply(new Command.SetLimit(Limit.TRIES_PER_ENTRY, KEYS));
        List<Command> trigger = trigger(plain("p/z"));
        Applied applied = apply(trigger.get(0), trigger.get(1), freed);
        for (int entry = 0; entry < ENTRIES && !victimIsGranted(applied); entry++) {
            trigger = trigger(plain("p/z"));
            applied = apply(trigger.get(0), trigger.get(1));
        }
        assertThat(victimIsGranted(applied)).isTrue();
    }

    @Test
    void upgrades_that_are_looked_at_in_vain_in_every_entry_hold_up_nobody_else() {
        for (String tree : List.of("1", "2", "3")) {
            long token = hold(
                    ROGUE,
                    item("t" + tree, Kind.SUBTREE, Mode.SHARED),
                    item("t" + tree + "/a", Kind.SUBTREE, Mode.SHARED),
                    item("t" + tree + "/a/b", Kind.SUBTREE, Mode.SHARED),
                    shared("z" + tree));
            hold(HOLDER, shared("z" + tree));
            seq++;
            apply(new Command.Upgrade(ROGUE, APP, seq, seq, LockKey.of("z" + tree), token, 0, Command.WAIT_FOREVER));
        }
        Command freed = victimWaits();
        apply(new Command.SetLimit(Limit.TRIES_PER_ENTRY, 5));
        List<Command> trigger = trigger(plain("z1"), plain("z2"), plain("z3"));
        Applied applied = apply(trigger.get(0), trigger.get(1), freed);
        for (int entry = 0; entry < ENTRIES && !victimIsGranted(applied); entry++) {
            trigger = trigger(plain("z1"), plain("z2"), plain("z3"));
            applied = apply(trigger.get(0), trigger.get(1));
        }
        assertThat(victimIsGranted(applied)).isTrue();
    }

    /** A sweep takes only those who were there when it began: else it would never come round to those it has passed. */
    @Test
    void those_who_come_while_others_are_looked_at_do_not_hold_up_whoever_was_passed() {
        crowdedSubtree();
        Command freed = victimWaits();
        Deque<Long> subtrees = new ArrayDeque<>();
        for (int i = 0; i < 3; i++) {
            apply(subtree());
            subtrees.add(seq);
        }
        apply(new Command.SetLimit(Limit.TRIES_PER_ENTRY, KEYS));
        List<Command> trigger = trigger(plain("p/z"));
        apply(trigger.get(0), trigger.get(1));
        // Only now, when the first of the subtrees has been looked at.
        Command next = freed;
        boolean granted = false;
        for (int entry = 0; entry < ENTRIES && !granted; entry++) {
            Command newcomer = subtree();
            subtrees.add(seq);
            trigger = trigger(plain("p/z"));
            granted = victimIsGranted(apply(next, newcomer, trigger.get(0), trigger.get(1)));
            next = cancel(ROGUE, subtrees.remove());
        }
        assertThat(granted).isTrue();
    }
}
