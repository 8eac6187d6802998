package dev.holdfast.core.deadlock;

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
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a deadlock check costs is bounded by what it may look at, whatever shape the queues have. */
class DeadlockBoundTest {
    private static final String APP = "app";
    private static final LeaseId LEASE = new LeaseId(1);
    private static final int NOBODY = 0;

    private final LockMachine machine = new LockMachine();
    private long seq;

    @BeforeEach
    void start() {
        apply(List.of(
                new Command.SetLimit(Limit.UNACKNOWLEDGED, Limit.UNACKNOWLEDGED.highest()),
                new Command.SetLimit(Limit.WAITERS_PER_LEASE, Limit.WAITERS_PER_LEASE.highest()),
                new Command.SetLimit(Limit.WAITERS_PER_PRINCIPAL, Limit.WAITERS_PER_PRINCIPAL.highest()),
                new Command.GrantLease(LEASE, APP, "client", 10_000, 0)));
    }

    private List<Result> apply(List<Command> commands) {
        return machine.apply(1, Batch.of(1, 0, 0, commands)).results();
    }

    private Result apply(Command command) {
        return apply(List.of(command)).get(0);
    }

    /** Each acknowledges those before it, so that the window never fills. */
    private Command.Acquire acquire(long actor, Item... items) {
        seq++;
        return new Command.Acquire(
                LEASE, APP, seq, seq, List.of(items), 0, actor, Command.WAIT_FOREVER, 0, false, "", Metadata.NONE);
    }

    private static Item exclusive(String key) {
        return Item.exclusive(LockKey.of(key));
    }

    private static Item shared(String key, Kind kind) {
        return new Item(LockKey.of(key), kind, Mode.SHARED, 0, 0);
    }

    /** Somebody waits for what the actor holds, so that its next wait is looked into. */
    private void makeWaitedFor(long actor) {
        apply(List.of(acquire(actor, exclusive("wanted")), acquire(NOBODY, exclusive("wanted"))));
    }

    /**
     * Each actor waits for the one before it, and all hold what the newcomer wants. Going over all of them until
     * nothing changes settles one each time: forty-five thousand million looks.
     */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void chain_settles_in_one_go_whatever_its_order() {
        int actors = 300_000;
        apply(new Command.SetLimit(Limit.WALK_VISITS, Limit.WALK_VISITS.highest()));
        List<Command> held = new ArrayList<>();
        for (int i = 0; i < actors; i++) {
            held.add(acquire(i + 1, exclusive("k" + i)));
            held.add(acquire(i + 1, shared("all", Kind.PLAIN)));
        }
        apply(held);
        List<Command> waits = new ArrayList<>();
        for (int i = actors - 1; i > 0; i--) {
            waits.add(acquire(i + 1, exclusive("k" + (i - 1))));
        }
        apply(waits);
        makeWaitedFor(-1);

        assertThat(apply(acquire(-1, exclusive("all"))))
                .isInstanceOfSatisfying(
                        Result.Queued.class,
                        queued -> assertThat(queued.deadlockChecked()).isTrue());
    }

    @Test
    void what_is_looked_at_counts_although_it_is_in_nobodys_way() {
        List<Command> below = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            below.add(acquire(NOBODY, shared("a/" + i, Kind.PLAIN)));
        }
        below.add(acquire(NOBODY, exclusive("a/x")));
        apply(below);
        makeWaitedFor(7);

        Command.Acquire newcomer = acquire(7, shared("a", Kind.SUBTREE));
        assertThat(machine.view().plan(newcomer))
                .isInstanceOfSatisfying(
                        Plan.WouldWait.class,
                        wait -> assertThat(wait.deadlockChecked()).isFalse());
        assertThat(apply(newcomer))
                .isInstanceOfSatisfying(
                        Result.Queued.class,
                        queued -> assertThat(queued.deadlockChecked()).isFalse());
    }

    /** Each looks for the nearest exclusive waiter before it; only the first of them is near it. */
    @Test
    void readers_in_a_long_queue_are_checked_to_the_end() {
        apply(List.of(acquire(NOBODY, exclusive("k")), acquire(NOBODY, exclusive("k"))));
        List<Command> readers = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            readers.add(acquire(100 + i, shared("k", Kind.PLAIN)));
        }
        readers.add(acquire(NOBODY, exclusive("k")));
        apply(readers);
        makeWaitedFor(7);
        assertThat(apply(acquire(7, shared("k", Kind.PLAIN))))
                .isInstanceOfSatisfying(
                        Result.Queued.class,
                        queued -> assertThat(queued.deadlockChecked()).isTrue());
    }

    @Test
    void long_cycle_is_told_by_its_first_members() {
        int actors = 1_000;
        List<Command> held = new ArrayList<>();
        for (int i = 0; i < actors; i++) {
            held.add(acquire(i + 1, exclusive("k" + i)));
        }
        apply(held);
        List<Command> waits = new ArrayList<>();
        for (int i = actors - 1; i > 0; i--) {
            waits.add(acquire(i + 1, exclusive("k" + (i - 1))));
        }
        apply(waits);

        assertThat(apply(acquire(1, exclusive("k" + (actors - 1)))))
                .isInstanceOfSatisfying(Result.Refused.class, refused -> {
                    assertThat(refused.code()).isEqualTo(Refusal.DEADLOCK);
                    assertThat(refused.blockers()).hasSize(64);
                    assertThat(refused.blockers().get(0).key()).isEqualTo(LockKey.of("k" + (actors - 1)));
                });
    }
}
