package dev.holdfast.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Budget;
import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No question costs more than its budget, however much there is; and what it left out can be asked for. */
class QuestionBudgetTest {
    private static final String APP = "app";
    private static final int MAX_RECORDS = 1024 * 1024 / Budget.BYTES_PER_RECORD;
    private static final int MORE_THAN_A_BUDGET = 60_000;

    private final LockMachine machine = new LockMachine();
    private final MachineView view = machine.view();
    private long seq;

    private List<Result> apply(List<Command> commands) {
        return machine.apply(1, Batch.of(1, 0, 0, commands)).results();
    }

    private void lease(int id, String principal) {
        apply(List.of(new Command.GrantLease(new LeaseId(id), principal, "client-" + id, 10_000, 0)));
    }

    private Command acquire(int lease, Item item, Metadata metadata) {
        return new Command.Acquire(
                new LeaseId(lease), APP, ++seq, seq, List.of(item), 0, 0, Command.WAIT_FOREVER, 0, false, "", metadata);
    }

    private Command acquire(int lease, String key) {
        return acquire(lease, Item.exclusive(LockKey.of(key)), Metadata.NONE);
    }

    @Test
    void explanation_of_ten_thousand_waiters_is_told_a_part_at_a_time() {
        lease(1, APP);
        lease(2, APP);
        List<Command> queue = new ArrayList<>(List.of(acquire(1, "k")));
        for (int i = 0; i < 10_000; i++) {
            queue.add(acquire(2, "k"));
        }
        apply(queue);

        Page<Explanation, Long> first = view.explain(new LeaseId(2), APP, 0, 0);
        assertThat(first.entries()).hasSizeBetween(10, 1_000);
        assertThat(first.entries().stream()
                        .mapToInt(each -> each.steps().size())
                        .sum())
                .isLessThan(MAX_RECORDS);
        assertThat(first.complete()).isTrue();

        Page<Explanation, Long> second =
                view.explain(new LeaseId(2), APP, 0, first.next().orElseThrow());
        assertThat(second.entries().get(0).revision()).isEqualTo(first.next().orElseThrow());
        assertThat(second.entries().get(0).position()).isEqualTo(first.entries().size());

        Page<Explanation, Long> last = view.explain(new LeaseId(2), APP, seq, 0);
        assertThat(last.entries()).hasSize(1);
        assertThat(last.entries().get(0).complete()).isFalse();
        assertThat(last.next()).isEmpty();
    }

    @Test
    void history_goes_on_where_it_stopped_looking() {
        lease(1, APP);
        apply(List.of(acquire(1, "rare")));
        for (int i = 0; i < MORE_THAN_A_BUDGET / 1_000; i++) {
            List<Command> others = new ArrayList<>();
            for (int j = 0; j < 1_000; j++) {
                others.add(acquire(1, "often/" + i + "/" + j));
            }
            apply(others);
        }
        Page<Event, Long> first = view.history(LockKey.of("rare"), 0, 10);
        assertThat(first.entries()).isEmpty();
        Page<Event, Long> second = view.history(LockKey.of("rare"), first.next().orElseThrow(), 10);
        assertThat(second.entries()).hasSize(1);
        assertThat(second.next()).isEmpty();
        assertThat(view.history(LockKey.of("often/0/0"), second.entries().get(0).revision() + 2, 10)
                        .entries())
                .hasSize(1);
    }

    @Test
    void leases_of_others_that_are_passed_over_count() {
        for (int i = 1; i <= MORE_THAN_A_BUDGET; i++) {
            lease(i, "other");
        }
        lease(MORE_THAN_A_BUDGET + 1, APP);
        Page<LeaseView, LeaseId> first = view.leases(APP, Optional.empty(), Optional.empty(), 10);
        assertThat(first.entries()).isEmpty();
        Page<LeaseView, LeaseId> second = view.leases(APP, Optional.empty(), first.next(), 10);
        assertThat(second.entries()).hasSize(1);
        assertThat(second.next()).isEmpty();
    }

    @Test
    void place_to_go_on_from_hides_most_of_the_id_of_a_stranger() {
        assertThat(Queries.between(0x1234_0000_0000_0000L, 0x1239_5555_6666_7777L))
                .isEqualTo(0x1238_0000_0000_0000L);
        assertThat(Queries.between(0x7fff_0000_0000_0000L, 0x8000_1111_2222_3333L))
                .isEqualTo(0x8000_0000_0000_0000L);
        assertThat(Queries.between(41, 42)).isEqualTo(42);
    }

    @Test
    void lock_with_very_many_holders_explains_who_some_of_them_are() {
        lease(1, APP);
        lease(2, APP);
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_A_BUDGET; i++) {
            commands.add(acquire(1, Item.shared(LockKey.of("k")), Metadata.NONE));
        }
        commands.add(acquire(2, "k"));
        apply(commands);
        Explanation why = view.explain(new LeaseId(2), APP, 0, 0).entries().get(0);
        assertThat(why.steps()).isNotEmpty();
        assertThat(why.complete()).isFalse();
    }

    @Test
    void waiter_for_very_many_permits_is_told_who_is_in_its_way() {
        lease(1, APP);
        lease(2, APP);
        Item all = Item.permits(LockKey.of("s"), 10_000, 10_000);
        apply(List.of(
                acquire(1, Item.permits(LockKey.of("s"), 10_000, 1), Metadata.NONE), acquire(2, all, Metadata.NONE)));
        Explanation why = view.explain(new LeaseId(2), APP, 0, 0).entries().get(0);
        assertThat(why.steps()).hasSize(1);
        assertThat(why.complete()).isTrue();
    }

    @Test
    void lease_with_very_many_locks_is_told_in_part() {
        lease(1, APP);
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_A_BUDGET; i++) {
            commands.add(acquire(1, "k/" + i));
        }
        apply(commands);
        LeaseView lease = view.lease(new LeaseId(1), APP).orElseThrow();
        assertThat(lease.complete()).isFalse();
        assertThat(lease.held()).isNotEmpty().hasSizeLessThan(MAX_RECORDS);
        assertThat(view.attachment(new LeaseId(1), APP).orElseThrow().grants())
                .as("a session must know them all")
                .hasSize(MORE_THAN_A_BUDGET);
    }

    @Test
    void semaphore_counts_all_holders_and_shows_some() {
        lease(1, APP);
        for (int i = 0; i < 2_000; i++) {
            apply(List.of(acquire(1, Item.permits(LockKey.of("s"), 10_000, 3), Metadata.NONE)));
        }
        LockView lock = view.lock(LockKey.of("s")).orElseThrow();
        assertThat(lock.holders()).hasSize(Queries.HOLDERS_SHOWN);
        assertThat(lock.holderCount()).isEqualTo(2_000);
        assertThat(lock.permitsTaken()).isEqualTo(6_000);
    }

    @Test
    void locks_with_much_metadata_come_in_more_pages_and_each_comes_once() {
        lease(1, APP);
        List<String> keys = new ArrayList<>();
        Metadata large = Metadata.of(new byte[4_096]);
        for (int i = 100; i < 1_000; i++) {
            keys.add("k/" + i);
            apply(List.of(acquire(1, Item.exclusive(LockKey.of("k/" + i)), large)));
        }
        List<String> told = new ArrayList<>();
        Optional<LockKey> from = Optional.empty();
        int pages = 0;
        do {
            Page<LockView, LockKey> page = view.locks("k/", from, 1_000);
            page.entries().forEach(lock -> told.add(lock.key().toString()));
            assertThat(page.entries())
                    .as("none looks free")
                    .allMatch(lock -> lock.holders().size() == 1);
            from = page.next();
            pages++;
        } while (from.isPresent());
        assertThat(told).isEqualTo(keys);
        assertThat(pages).isBetween(4, 6);
    }
}
