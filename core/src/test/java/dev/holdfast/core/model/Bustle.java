package dev.holdfast.core.model;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.model.CommandGenerator.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes up, from one seed, queues on a handful of keys, where sets, semaphores, subtrees and upgrades get into each
 * other's way, and entries that set many of them free. No time passes.
 */
final class Bustle {
    private static final LeaseId LEASE = new LeaseId(1);
    private static final String APP = "t/app";
    private static final List<LockKey> PLAIN = keys("a", "b", "c", "d", "e", "f", "t", "t/u", "t/u/v");
    private static final List<LockKey> SEMAPHORES = keys("s", "t/s", "z");
    private static final int CAPACITY = 3;
    private static final int MOST_WAITING = 24;

    private final Chance chance;
    private final int subtrees;
    private long seq;

    Bustle(long seed) {
        chance = new Chance(seed);
        subtrees = chance.percent(50) ? 0 : 25;
    }

    private static List<LockKey> keys(String... names) {
        return Stream.of(names).map(LockKey::of).toList();
    }

    static Entry entry(List<Command> commands) {
        return new Entry(1, new Batch(0, 0, 0, new long[0], commands));
    }

    Entry first() {
        return entry(List.of(
                new Command.GrantLease(LEASE, APP, "c", 10_000, 0),
                new Command.SetLimit(Limit.GRANTS_PER_ENTRY, chance.percent(60) ? 1 : chance.between(2, 3)),
                new Command.SetLimit(Limit.TRIES_PER_ENTRY, chance.percent(50) ? 100 : chance.between(1, 3))));
    }

    Entry next(StateImage image) {
        ImageView view = new ImageView(image);
        List<Command> commands = new ArrayList<>();
        boolean fills = view.waiting().size() < MOST_WAITING && chance.percent(50);
        int count = chance.below(fills ? 6 : 9);
        for (int i = 0; i < count; i++) {
            commands.add(fills ? acquire() : change(view));
        }
        return entry(commands);
    }

    boolean comesToRest() {
        return chance.percent(8);
    }

    private Command acquire() {
        seq++;
        List<Item> items = new ArrayList<>();
        int count = 1 + chance.below(3);
        for (int i = 0; i < count; i++) {
            Item item = item();
            if (items.stream().noneMatch(other -> other.key().equals(item.key()))) {
                items.add(item);
            }
        }
        return new Command.Acquire(
                LEASE, APP, seq, seq, items, 0, 0, Command.WAIT_FOREVER, 0, false, "", Metadata.NONE);
    }

    private Item item() {
        if (chance.percent(40)) {
            return Item.permits(chance.pick(SEMAPHORES), CAPACITY, chance.percent(70) ? 1 : CAPACITY);
        }
        Mode mode = chance.percent(65) ? Mode.EXCLUSIVE : Mode.SHARED;
        Kind kind = chance.percent(subtrees) ? Kind.SUBTREE : Kind.PLAIN;
        return new Item(chance.pick(PLAIN), kind, mode, 0, 0);
    }

    private Command change(ImageView view) {
        List<RequestImage> held = view.held();
        if (held.isEmpty()) {
            return acquire();
        }
        RequestImage grant = chance.pick(held);
        LockKey key = grant.claims().get(0).key();
        long token = view.token(grant);
        int roll = chance.below(100);
        if (roll < 80) {
            return new Command.Release(LEASE, APP, key, token, 0);
        }
        if (roll < 85 && !view.waiting().isEmpty()) {
            return new Command.Cancel(LEASE, APP, chance.pick(view.waiting()).seq(), 0);
        }
        if (roll < 92) {
            seq++;
            return new Command.Upgrade(LEASE, APP, seq, seq, key, token, 0, Command.WAIT_FOREVER);
        }
        return new Command.Downgrade(LEASE, APP, key, token);
    }
}
