package dev.holdfast.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueriesTest {
    private static final String APP = "app";

    private final LockMachine machine = new LockMachine();
    private final long[] nextSeq = new long[20_000];
    private long now;

    @BeforeEach
    void openLeases() {
        for (int client = 1; client <= 5; client++) {
            apply(new Command.GrantLease(new LeaseId(client), APP, "client-" + client, 10_000, 0));
        }
    }

    private Result apply(Command command) {
        return machine.apply(1, Batch.of(1, now, 0, List.of(command))).results().get(0);
    }

    private Command.Acquire acquire(int client, long actor, String... keys) {
        List<Item> items = new ArrayList<>();
        for (String key : keys) {
            items.add(Item.exclusive(LockKey.of(key)));
        }
        long seq = ++nextSeq[client];
        return new Command.Acquire(
                new LeaseId(client),
                APP,
                seq,
                seq,
                items,
                0,
                actor,
                Command.WAIT_FOREVER,
                0,
                false,
                "purpose-" + client,
                Metadata.of("host-" + client));
    }

    private FencingToken hold(int client, String... keys) {
        return ((Result.Granted) apply(acquire(client, 1, keys))).token();
    }

    private Result.Queued await(int client, String... keys) {
        return (Result.Queued) apply(acquire(client, 1, keys));
    }

    @Test
    void lock_is_shown_with_its_holder_and_its_queue() {
        FencingToken token = hold(1, "orders/42");
        now = 1_500;
        long second = await(2, "orders/42").revision();
        long third = await(3, "orders/42").revision();
        now = 2_000;
        apply(new Command.GrantLease(new LeaseId(9), APP, "client-9", 1_000, 0));
        LockView view = machine.view().lock(LockKey.of("orders/42")).orElseThrow();
        LockView.Holder holder = view.holders().get(0);
        assertThat(holder.clientId()).isEqualTo("client-1");
        assertThat(holder.token()).isEqualTo(token.value());
        assertThat(holder.ageMillis()).isEqualTo(2_000);
        assertThat(holder.leaseLeftMillis()).isEqualTo(8_000);
        assertThat(holder.purpose()).isEqualTo("purpose-1");
        assertThat(holder.metadata()).isEqualTo(Metadata.of("host-1"));
        assertThat(view.waiterCount()).isEqualTo(2);
        assertThat(view.waiters()).extracting(LockView.Waiter::revision).containsExactly(second, third);
        assertThat(view.waiters()).extracting(LockView.Waiter::predecessor).containsExactly(0L, second);
        assertThat(view.waiters().get(0).ageMillis()).isEqualTo(500);
    }

    @Test
    void lock_that_nobody_uses_is_not_there() {
        FencingToken token = hold(1, "a");
        apply(new Command.Release(new LeaseId(1), APP, LockKey.of("a"), token.value(), 0));
        assertThat(machine.view().lock(LockKey.of("a"))).isEmpty();
        assertThat(machine.view().lockCount()).isZero();
    }

    @Test
    void listing_goes_page_by_page_in_key_order_and_stays_within_the_prefix() {
        for (String key : List.of("b", "a/3", "a/1", "a", "a/2", "ab", "c")) {
            hold(1, key);
        }
        Page<LockView, LockKey> first = machine.view().locks("a", Optional.empty(), 3);
        assertThat(first.entries()).extracting(view -> view.key().toString()).containsExactly("a", "a/1", "a/2");
        Page<LockView, LockKey> second = machine.view().locks("a", first.next(), 3);
        assertThat(second.entries()).extracting(view -> view.key().toString()).containsExactly("a/3", "ab");
        assertThat(second.next()).isEmpty();
        assertThat(machine.view().locks("", Optional.empty(), 100).entries()).hasSize(7);
    }

    @Test
    void explanation_names_the_whole_chain() {
        hold(1, "a");
        hold(2, "b");
        await(2, "a");
        Result.Queued queued = await(3, "b");
        Explanation why = machine.view()
                .explain(new LeaseId(3), APP, nextSeq[3], 0)
                .entries()
                .get(0);
        assertThat(why.complete()).isTrue();
        assertThat(why.blockedOn()).isEqualTo(LockKey.of("b"));
        assertThat(why.steps())
                .extracting(
                        Explanation.Step::waiter,
                        Explanation.Step::blocker,
                        step -> step.key().toString())
                .containsExactly(tuple("client-3", "client-2", "b"), tuple("client-2", "client-1", "a"));
        assertThat(why.steps().get(0).waiterRevision()).isEqualTo(queued.revision());
        assertThat(why.steps().get(1).purpose()).isEqualTo("purpose-1");
    }

    @Test
    void explanation_that_is_too_long_says_so() {
        apply(new Command.SetLimit(Limit.WALK_VISITS, 16));
        hold(1, "k");
        for (int client = 100; client < 150; client++) {
            apply(new Command.GrantLease(new LeaseId(client), APP, "client-" + client, 10_000, 0));
            await(client, "k");
        }
        Explanation why =
                machine.view().explain(new LeaseId(149), APP, 0, 0).entries().get(0);
        assertThat(why.complete()).isFalse();
        assertThat(why.steps()).hasSize(16);
        assertThat(why.position()).isEqualTo(49);
    }

    @Test
    void deadlock_check_that_is_too_long_lets_the_request_wait_and_says_so() {
        apply(new Command.SetLimit(Limit.WALK_VISITS, 16));
        hold(1, "k");
        for (int client = 100; client < 150; client++) {
            apply(new Command.GrantLease(new LeaseId(client), APP, "client-" + client, 10_000, 0));
            await(client, "k");
        }
        hold(2, "mine");
        assertThat(await(3, "mine").deadlockChecked()).isTrue();
        assertThat(await(2, "k").deadlockChecked()).isFalse();
    }

    @Test
    void queue_of_thousands_is_walked_step_by_step() {
        hold(1, "k");
        for (int client = 100; client < 4_100; client++) {
            apply(new Command.GrantLease(new LeaseId(client), APP, "client-" + client, 10_000, 0));
            await(client, "k");
        }
        hold(2, "mine");
        await(1, "mine");
        Result.Refused refused = (Result.Refused) apply(acquire(2, 1, "k"));
        assertThat(refused.code()).isEqualTo(Refusal.DEADLOCK);
        assertThat(refused.blockers()).hasSize(Result.CYCLE_SHOWN);
        assertThat(refused.actual()).as("members of the cycle").isEqualTo(4_002);
    }

    @Test
    void plan_says_what_would_happen_and_changes_nothing() {
        hold(1, "a");
        hold(2, "b");
        await(2, "a");
        long hash = machine.stateHash();
        assertThat(machine.view().plan(acquire(3, 1, "c"))).isEqualTo(new Plan.WouldBeGranted());
        assertThat(machine.view().plan(acquire(3, 1, "a"))).isInstanceOfSatisfying(Plan.WouldWait.class, plan -> {
            assertThat(plan.position()).isEqualTo(1);
            assertThat(plan.blockers()).extracting(Result.Blocker::clientId).containsExactly("client-1");
        });
        assertThat(machine.view().plan(acquire(1, 1, "b")))
                .isInstanceOfSatisfying(
                        Plan.WouldDeadlock.class,
                        plan -> assertThat(plan.cycle())
                                .extracting(Result.Blocker::clientId)
                                .containsExactly("client-2", "client-1"));
        assertThat(machine.view().plan(acquire(77, 1, "c"))).isInstanceOf(Plan.WouldBeRefused.class);
        assertThat(machine.stateHash()).isEqualTo(hash);
    }

    @Test
    void plan_refuses_a_wait_that_the_lease_cannot_cover_as_an_acquire_does() {
        hold(1, "a");
        Command.GrantLease start = new Command.GrantLease(new LeaseId(77), APP, "new", 10_000, 0);
        long longest = Limit.TTL_MAX_MILLIS.initial();
        Command.Acquire covered = new Command.Acquire(
                new LeaseId(77),
                APP,
                1,
                0,
                List.of(Item.exclusive(LockKey.of("a"))),
                0,
                0,
                longest,
                0,
                true,
                "",
                Metadata.NONE);
        Result.Refused refusal =
                new Result.Refused(Refusal.QUOTA_EXCEEDED, Limit.TTL_MAX_MILLIS.name(), longest, longest + 10_000);
        assertThat(machine.view().plan(start, covered)).isEqualTo(new Plan.WouldBeRefused(refusal));
        apply(start);
        assertThat(machine.view().plan(covered)).isEqualTo(new Plan.WouldBeRefused(refusal));
        assertThat(apply(covered)).isEqualTo(refusal);
    }

    @Test
    void plan_of_one_without_an_id_that_waits_already_says_that_it_waits() {
        hold(1, "a");
        Command.Acquire again = unnumbered(Command.WAIT_FOREVER);
        assertThat(apply(again)).isInstanceOf(Result.Queued.class);
        assertThat(apply(again)).isInstanceOf(Result.Queued.class);
        assertThat(machine.view().plan(again)).isInstanceOfSatisfying(Plan.WouldWait.class, plan -> {
            assertThat(plan.blockedOn()).isEqualTo(LockKey.of("a"));
            assertThat(plan.position()).isZero();
            assertThat(plan.blockers()).extracting(Result.Blocker::clientId).containsExactly("client-1");
        });
    }

    @Test
    void plan_of_one_that_would_not_wait_does_not_ask_for_room_to() {
        apply(new Command.SetLimit(Limit.WAITERS_PER_KEY, 1));
        hold(1, "a");
        await(3, "a");
        Command.Acquire tries = unnumbered(0);
        assertThat(machine.view().plan(tries)).isInstanceOf(Plan.WouldWait.class);
        assertThat(machine.view().plan(unnumbered(Command.WAIT_FOREVER))).isInstanceOf(Plan.WouldBeRefused.class);
        assertThat(((Result.Refused) apply(tries)).code()).isEqualTo(Refusal.LOCK_ALREADY_HELD);
    }

    private static Command.Acquire unnumbered(long waitMillis) {
        List<Item> items = List.of(Item.exclusive(LockKey.of("a")));
        return new Command.Acquire(new LeaseId(2), APP, 0, 0, items, 0, 0, waitMillis, 0, false, "", Metadata.NONE);
    }

    @Test
    void plan_can_be_asked_for_a_lease_that_is_yet_to_be_started() {
        hold(1, "a");
        long hash = machine.stateHash();
        Command.GrantLease start = new Command.GrantLease(new LeaseId(77), APP, "new", 10_000, 0);
        assertThat(machine.view().plan(start, acquire(77, 1, "c"))).isEqualTo(new Plan.WouldBeGranted());
        assertThat(machine.view().plan(start, acquire(77, 1, "a")))
                .isInstanceOfSatisfying(
                        Plan.WouldWait.class,
                        plan -> assertThat(plan.blockers())
                                .extracting(Result.Blocker::clientId)
                                .containsExactly("client-1"));
        Command.GrantLease endless = new Command.GrantLease(new LeaseId(77), APP, "new", Long.MAX_VALUE, 0);
        assertThat(machine.view().plan(endless, acquire(77, 1, "c")))
                .isInstanceOfSatisfying(
                        Plan.WouldBeRefused.class,
                        plan -> assertThat(plan.refusal().subject()).isEqualTo("ttlMillis"));
        assertThat(machine.stateHash()).isEqualTo(hash);
    }

    @Test
    void history_of_a_key_is_newest_first_and_bounded() {
        for (int i = 0; i < 5; i++) {
            FencingToken token = hold(1, "a");
            hold(1, "other" + i);
            apply(new Command.Release(new LeaseId(1), APP, LockKey.of("a"), token.value(), 0));
        }
        List<Event> history = machine.view().history(LockKey.of("a"), 0, 3).entries();
        assertThat(history).hasSize(3);
        assertThat(history.get(0)).isInstanceOf(Event.Released.class);
        assertThat(history.get(1)).isInstanceOf(Event.Granted.class);
        assertThat(history).isSortedAccordingTo((x, y) -> Long.compare(y.revision(), x.revision()));
    }

    @Test
    void leases_are_shown_to_their_principal_only() {
        apply(new Command.GrantLease(new LeaseId(50), "other", "client-1", 5_000, 0));
        hold(1, "a", "b");
        assertThat(machine.view()
                        .leases(APP, Optional.empty(), Optional.empty(), 100)
                        .entries())
                .hasSize(5);
        assertThat(machine.view()
                        .leases("other", Optional.empty(), Optional.empty(), 100)
                        .entries())
                .extracting(LeaseView::id)
                .containsExactly(new LeaseId(50));
        LeaseView mine = machine.view().lease(new LeaseId(1), APP).orElseThrow();
        assertThat(mine.held()).extracting(hold -> hold.key().toString()).containsExactly("a", "b");
        assertThat(mine.leftMillis()).isEqualTo(10_000);
        assertThat(machine.view().lease(new LeaseId(1), "other")).isEmpty();
        Page<LeaseView, LeaseId> page = machine.view().leases(APP, Optional.empty(), Optional.empty(), 2);
        assertThat(page.next()).contains(new LeaseId(3));
        assertThat(machine.view()
                        .leases(APP, Optional.of("client-4"), page.next(), 2)
                        .entries())
                .extracting(LeaseView::clientId)
                .containsExactly("client-4");
    }

    @Test
    void lease_shows_the_token_of_each_grant_it_holds_oldest_first() {
        FencingToken set = hold(1, "z", "y");
        FencingToken single = hold(1, "a");
        hold(2, "other");
        await(1, "other");
        assertThat(tokensOf(1)).containsExactly(set, single);
        apply(new Command.Release(new LeaseId(1), APP, LockKey.of("y"), set.value(), 0));
        assertThat(tokensOf(1)).containsExactly(single);
    }

    @Test
    void lost_grant_that_keeps_its_keys_closed_is_not_among_the_tokens_of_its_lease() {
        apply(new Command.GrantLease(new LeaseId(9), APP, "client-9", 10_000, 5_000));
        Command.Acquire acquire = acquire(9, 1, "a");
        Command.Acquire bounded = new Command.Acquire(
                acquire.lease(), APP, 1, 1, acquire.items(), 0, 0, 0, 100, false, "", Metadata.NONE);
        FencingToken token = ((Result.Granted) apply(bounded)).token();
        assertThat(tokensOf(9)).containsExactly(token);
        now = 200;
        apply(new Command.SetLimit(Limit.LEASES, 1_000));
        LockView closed = machine.view().lock(LockKey.of("a")).orElseThrow();
        assertThat(closed.holders()).extracting(LockView.Holder::lingering).containsExactly(true);
        assertThat(tokensOf(9)).isEmpty();
    }

    private List<FencingToken> tokensOf(int client) {
        return machine.view().attachment(new LeaseId(client), APP).orElseThrow().grants();
    }
}
