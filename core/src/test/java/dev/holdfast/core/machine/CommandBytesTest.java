package dev.holdfast.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.codec.ByteWriter;
import dev.holdfast.core.codec.ImageCodec;
import dev.holdfast.core.codec.ResultCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No command costs more bytes than is stated, whatever it asks for: not in its answer, not in an event, not in what is
 * remembered of it. Nor do all of them together.
 */
class CommandBytesTest {
    /** Under the limits that a cluster starts with. */
    private static final int MOST = 128 * 1024;

    /** With every limit as high as it goes. */
    private static final int MOST_OF_ALL = 2 * 1024 * 1024;

    private static final Limit[] WIDE = {
        Limit.KEYS_PER_REQUEST,
        Limit.KEY_BYTES,
        Limit.PURPOSE_BYTES,
        Limit.METADATA_BYTES,
        Limit.CLIENT_ID_BYTES,
        Limit.SEMAPHORE_PERMITS,
        Limit.PERMITS_PER_REQUEST
    };

    private final LockMachine machine = new LockMachine();
    private int most = MOST;
    private String client = "";
    private long seq;

    private void start(boolean wide) {
        for (Limit limit : WIDE) {
            if (wide) {
                apply(new Command.SetLimit(limit, limit.highest()));
            }
        }
        most = wide ? MOST_OF_ALL : MOST;
        client = "c".repeat((int) limit(Limit.CLIENT_ID_BYTES));
        lease(1);
    }

    private void lease(long id) {
        apply(new Command.GrantLease(new LeaseId(id), "", client, 3_600_000, 0));
    }

    @Test
    void all_permits_of_many_semaphores_at_once_are_refused() {
        start(false);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            items.add(Item.permits(LockKey.of("pool/" + i), 10_000, 10_000));
        }
        Result.Refused refused = (Result.Refused) result(acquire(1, items, 0));
        assertThat(refused.code()).isEqualTo(Refusal.QUOTA_EXCEEDED);
        assertThat(refused.subject()).isEqualTo("PERMITS_PER_REQUEST");
        assertThat(refused.limit()).isEqualTo(10_000);
        assertThat(refused.actual()).isEqualTo(640_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void costliest_grant_is_asked_for_awaited_described_and_ended_within_the_bound(boolean wide) {
        start(wide);
        lease(2);
        List<Item> items = costliest();
        scatter(items);
        Result.Granted granted = (Result.Granted) result(acquire(1, items, 0));
        assertThat(granted.holds().stream()
                        .mapToInt(hold -> hold.permits().rangeCount())
                        .sum())
                .as("every permit is a range of its own")
                .isEqualTo((int) limit(Limit.PERMITS_PER_REQUEST));
        assertThat(result(acquire(2, items, -1))).isInstanceOf(Result.Queued.class);
        LockKey first = items.get(0).key();
        long token = granted.token().value();
        result(new Command.Describe(new LeaseId(1), "", first, token, metadata(2)));
        String reason = "r".repeat((int) limit(Limit.PURPOSE_BYTES));
        result(new Command.ForceRelease(first, token, reason, reason));
        result(new Command.RevokeLease(new LeaseId(2), ""));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void costliest_upgrade_is_answered_and_remembered_within_the_bound(boolean wide) {
        start(wide);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < limit(Limit.KEYS_PER_REQUEST); i++) {
            items.add(Item.shared(key(i)));
        }
        Result.Granted granted = (Result.Granted) result(acquire(1, items, 0));
        long token = granted.token().value();
        LockKey first = items.get(0).key();
        Result.Granted upgraded =
                (Result.Granted) result(new Command.Upgrade(new LeaseId(1), "", ++seq, seq, first, token, 0, 0));
        assertThat(upgraded.bytes()).isLessThan(most);
        result(new Command.Downgrade(new LeaseId(1), "", first, upgraded.token().value()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void long_cycle_is_told_by_its_first_members(boolean wide) {
        start(wide);
        int members = 200;
        for (int i = 0; i < members; i++) {
            lease(100 + i);
            result(acquire(100 + i, i + 1L, List.of(Item.exclusive(key(i))), 0));
        }
        for (int i = 0; i < members - 1; i++) {
            result(acquire(100 + i, i + 1L, List.of(Item.exclusive(key(i + 1))), -1));
        }
        Result.Refused deadlock =
                (Result.Refused) result(acquire(99L + members, members, List.of(Item.exclusive(key(0))), -1));
        assertThat(deadlock.code()).isEqualTo(Refusal.DEADLOCK);
        // Where names may be longer than at first, as many as take what a deadlock counts.
        assertThat(deadlock.blockers()).hasSizeBetween(wide ? 12 : Result.CYCLE_SHOWN, Result.CYCLE_SHOWN);
        assertThat(deadlock.limit()).isEqualTo(deadlock.blockers().size());
        assertThat(deadlock.actual()).isEqualTo(members);
        int told = 0;
        for (Result.Blocker blocker : deadlock.blockers()) {
            told += 64 + blocker.key().length() + blocker.clientId().length();
        }
        assertThat(told).isLessThan(deadlock.bytes());
    }

    @Test
    void history_of_costly_events_is_bounded_by_their_bytes() {
        start(false);
        apply(new Command.SetLimit(Limit.HISTORY_BYTES, 1 << 20));
        List<Item> items = costliest();
        scatter(items);
        for (int i = 0; i < 50; i++) {
            Result.Granted granted = (Result.Granted) result(acquire(1, items, 0));
            result(new Command.Release(
                    new LeaseId(1), "", items.get(0).key(), granted.token().value(), seq));
        }
        long kept = 0;
        for (long revision = machine.view().oldestRevision();
                revision <= machine.view().revision();
                revision++) {
            kept += encoded(machine.view().event(revision));
        }
        assertThat(kept).isBetween(1L << 18, 1L << 20);
        assertThat(machine.view().oldestRevision()).isGreaterThan(1);
    }

    @Test
    void client_that_acknowledges_nothing_is_refused_before_anything_is_done() {
        start(false);
        apply(new Command.SetLimit(Limit.REMEMBERED_BYTES, 100_000));
        lease(2);
        result(acquire(2, List.of(Item.exclusive(key(0))), 0));
        Result last = result(refusedAcquire(1));
        long asked = 1;
        while (((Result.Refused) last).code() == Refusal.LOCK_ALREADY_HELD) {
            asked++;
            last = result(refusedAcquire(asked));
        }
        Result.Refused full = (Result.Refused) last;
        assertThat(full.code()).isEqualTo(Refusal.WINDOW_FULL);
        assertThat(full.subject()).isEqualTo("REMEMBERED_BYTES");
        assertThat(full.limit()).isEqualTo(100_000);
        Command free = Command.Acquire.of(new LeaseId(1), "", asked, 0, List.of(Item.exclusive(key(1))));
        assertThat(result(free)).isEqualTo(full);
        assertThat(machine.view().lock(key(1))).as("nothing was done").isEmpty();
        assertThat(result(refusedAcquire(1)))
                .as("what was answered is answered again")
                .isInstanceOfSatisfying(
                        Result.Refused.class, again -> assertThat(again.code()).isEqualTo(Refusal.LOCK_ALREADY_HELD));
        Command acknowledging = Command.Acquire.of(new LeaseId(1), "", asked, asked, List.of(Item.exclusive(key(1))));
        assertThat(result(acknowledging)).isInstanceOf(Result.Granted.class);
    }

    private Command refusedAcquire(long number) {
        return Command.Acquire.of(new LeaseId(1), "", number, 0, List.of(Item.exclusive(key(0))));
    }

    /** As many keys as may be asked for, as long as they may be, and as many permits. */
    private List<Item> costliest() {
        int keys = (int) limit(Limit.KEYS_PER_REQUEST);
        int permits = (int) limit(Limit.PERMITS_PER_REQUEST);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            int count = permits / keys + (i < permits % keys ? 1 : 0);
            items.add(Item.permits(key(i), 2 * count, count));
        }
        return items;
    }

    /** Takes all permits one by one and gives every other one back: what is free lies as scattered as it can. */
    private void scatter(List<Item> items) {
        for (Item item : items) {
            List<Command> acquires = new ArrayList<>();
            for (int i = 0; i < item.capacity(); i++) {
                seq++;
                acquires.add(Command.Acquire.of(
                        new LeaseId(1), "", seq, seq, List.of(Item.permits(item.key(), item.capacity(), 1))));
            }
            List<Command> releases = new ArrayList<>();
            for (Result result : apply(acquires).results()) {
                long token = ((Result.Granted) result).token().value();
                if (((Result.Granted) result).holds().get(0).permits().first(0) % 2 == 0) {
                    releases.add(new Command.Release(new LeaseId(1), "", item.key(), token, seq + 1));
                }
            }
            apply(releases);
        }
    }

    private Command acquire(long lease, List<Item> items, long waitMillis) {
        return acquire(lease, 0, items, waitMillis);
    }

    private Command acquire(long lease, long actor, List<Item> items, long waitMillis) {
        seq++;
        String purpose = "p".repeat((int) limit(Limit.PURPOSE_BYTES));
        return new Command.Acquire(
                new LeaseId(lease), "", seq, seq, items, 0, actor, waitMillis, 0, false, purpose, metadata(1));
    }

    private Metadata metadata(int content) {
        byte[] bytes = new byte[(int) limit(Limit.METADATA_BYTES)];
        Arrays.fill(bytes, (byte) content);
        return Metadata.of(bytes);
    }

    private LockKey key(int number) {
        String text = String.format("%06d", number);
        return LockKey.of(text + "k".repeat((int) limit(Limit.KEY_BYTES) - text.length()));
    }

    private long limit(Limit limit) {
        return machine.view().limit(limit);
    }

    private Result result(Command command) {
        return apply(command).results().get(0);
    }

    private Applied apply(Command command) {
        return apply(List.of(command));
    }

    private Applied apply(List<Command> commands) {
        Applied applied = machine.apply(1, Batch.of(1, machine.view().now(), 0, commands));
        applied.results()
                .forEach(result -> assertThat(ResultCodec.encode(result).length).isLessThan(most));
        for (Event event : applied.events()) {
            // Long texts have a marker every few hundred bytes.
            assertThat(encoded(event))
                    .as(event.kind().name())
                    .isLessThan(most)
                    .isLessThan(event.bytes() + event.bytes() / 100);
        }
        return applied;
    }

    private static int encoded(Event event) {
        ByteWriter out = new ByteWriter(1_024);
        ImageCodec.put(out, event);
        return out.size();
    }
}
