package dev.holdfast.core.model;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.command.Command.Acquire;
import dev.holdfast.core.image.LeaseImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The generator's part for acquires, and for the request ids of all commands. */
final class AcquireGenerator {
    private static final long LONGEST_MILLIS = 1L << 42;

    private final Chance chance;
    private final World world;
    /** The ids given out in the batch in hand, which the state does not show yet. */
    private final Map<LeaseId, Long> nextSeqs = new HashMap<>();

    private Optional<ImageView> view = Optional.empty();

    AcquireGenerator(Chance chance, World world) {
        this.chance = chance;
        this.world = world;
    }

    /** The state before the next step. */
    void look(ImageView current) {
        view = Optional.of(current);
        nextSeqs.clear();
    }

    private Optional<LeaseImage> lease(LeaseId id) {
        return view.flatMap(seen -> seen.lease(id));
    }

    private List<Long> knownSeqs(LeaseId id) {
        return lease(id)
                .flatMap(lease -> view.map(seen -> seen.knownSeqs(lease)))
                .orElse(List.of());
    }

    String principalOf(LeaseId id) {
        return chance.percent(98)
                ? lease(id).map(LeaseImage::principal).orElse(world.principalOf(id))
                : world.principal();
    }

    /** A fresh one, or one that was used before. */
    long seq(LeaseId id) {
        List<Long> known = knownSeqs(id);
        if (!known.isEmpty() && chance.percent(12)) {
            return chance.pick(known);
        }
        long acked = lease(id).map(LeaseImage::ackedBelow).orElse(0L);
        if (acked > 1 && chance.percent(2)) {
            return chance.between(1, acked - 1);
        }
        if (chance.percent(2)) {
            return acked + chance.between(3, 5_000);
        }
        long highest = known.stream()
                .filter(seq -> seq < 8_000)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        long seq = nextSeqs.getOrDefault(id, Math.max(Math.max(1, acked), highest + 1));
        nextSeqs.put(id, seq + 1);
        return seq;
    }

    /** Often behind what the client could acknowledge, now and then at it. */
    long ackedBelow(LeaseId id) {
        long acked = lease(id).map(LeaseImage::ackedBelow).orElse(0L);
        if (chance.percent(65)) {
            return acked - chance.below(2);
        }
        long highest = knownSeqs(id).stream()
                .filter(seq -> seq < 8_000)
                .mapToLong(Long::longValue)
                .max()
                .orElse(acked);
        return Math.max(acked, highest + 1 - chance.below(4));
    }

    long waitMillis() {
        int roll = chance.below(100);
        return roll < 15 ? 0 : roll < 50 ? Command.WAIT_FOREVER : roll < 60 ? LONGEST_MILLIS : chance.between(1, 700);
    }

    Acquire acquire(LeaseId lease) {
        Acquire asked = sensible(lease);
        return chance.percent(6) ? odd(asked) : asked;
    }

    private Acquire sensible(LeaseId lease) {
        boolean withoutId = chance.percent(14);
        boolean covers = chance.percent(12);
        return new Acquire(
                lease,
                principalOf(lease),
                withoutId ? 0 : seq(lease),
                ackedBelow(lease),
                withoutId ? List.of(world.item()) : items(),
                withoutId || chance.percent(60) ? 0 : chance.between(1, 2),
                chance.percent(25) ? 0 : chance.between(1, 3),
                covers ? chance.between(0, 500) : waitMillis(),
                chance.percent(80) ? 0 : chance.between(1, 600),
                covers,
                chance.percent(70) ? "" : "job",
                chance.percent(80) ? Metadata.NONE : Metadata.of("m" + chance.below(3)));
    }

    private List<Item> items() {
        int roll = chance.below(100);
        int count = roll < 65 ? 1 : roll < 88 ? 2 : 3;
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Item item = world.item();
            boolean repeated = items.stream().anyMatch(known -> known.key().equals(item.key()));
            if (!repeated || chance.percent(3)) {
                items.add(item);
            }
        }
        return items;
    }

    /** The request with one thing wrong, at least under some limits. */
    private Acquire odd(Acquire asked) {
        LockKey key = world.key();
        return switch (chance.below(16)) {
            case 0 -> withItems(asked, List.of());
            case 1 -> withItems(asked, manyItems(chance.percent(50) ? 3 : 65));
            case 2 ->
                withItems(asked, List.of(Item.exclusive(LockKey.of("a/" + "k".repeat(chance.percent(50) ? 15 : 511)))));
            case 3 -> withItems(asked, List.of(new Item(key, Kind.PERMITS, Mode.SHARED, 2, 1)));
            case 4 -> withItems(asked, List.of(Item.permits(key, chance.percent(50) ? 0 : 10_001, 1)));
            case 5 -> withItems(asked, List.of(Item.permits(key, 2, chance.percent(50) ? 0 : 3)));
            case 6 -> withItems(asked, List.of(new Item(key, Kind.PLAIN, Mode.SHARED, chance.below(2), 1)));
            case 7 -> withItems(asked, List.of(Item.exclusive(key), Item.shared(key)));
            case 8 -> with(asked, -chance.between(1, 5), asked.owner(), asked.actor());
            case 9 -> with(asked, 0, 1, asked.actor());
            case 10 -> asked.waiting(chance.percent(50) ? -2 : LONGEST_MILLIS + 1);
            case 11 -> withTimes(asked, asked.waitMillis(), chance.percent(50) ? -1 : LONGEST_MILLIS + 1, false);
            case 12 ->
                withTimes(asked, chance.percent(50) ? Command.WAIT_FOREVER : Limit.TTL_MAX_MILLIS.highest(), 0, true);
            case 13 -> withTexts(asked, chance.percent(50) ? "ärgerlich" : "why".repeat(99), asked.metadata());
            case 14 -> withTexts(asked, asked.purpose(), Metadata.of("m".repeat(chance.percent(50) ? 5 : 4_097)));
            default ->
                withItems(with(asked, 0, 0, asked.actor()), List.of(Item.shared(LockKey.of("e")), Item.shared(key)));
        };
    }

    private static List<Item> manyItems(int count) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(Item.exclusive(LockKey.of("m" + i)));
        }
        return items;
    }

    private static Acquire withItems(Acquire asked, List<Item> items) {
        return new Acquire(
                asked.lease(),
                asked.principal(),
                asked.seq(),
                asked.ackedBelow(),
                items,
                asked.owner(),
                asked.actor(),
                asked.waitMillis(),
                asked.maxHoldMillis(),
                asked.leaseCoversWait(),
                asked.purpose(),
                asked.metadata());
    }

    private static Acquire with(Acquire asked, long seq, long owner, long actor) {
        return new Acquire(
                asked.lease(),
                asked.principal(),
                seq,
                asked.ackedBelow(),
                asked.items(),
                owner,
                actor,
                asked.waitMillis(),
                asked.maxHoldMillis(),
                asked.leaseCoversWait(),
                asked.purpose(),
                asked.metadata());
    }

    private static Acquire withTimes(Acquire asked, long waitMillis, long maxHoldMillis, boolean leaseCoversWait) {
        return new Acquire(
                asked.lease(),
                asked.principal(),
                asked.seq(),
                asked.ackedBelow(),
                asked.items(),
                asked.owner(),
                asked.actor(),
                waitMillis,
                maxHoldMillis,
                leaseCoversWait,
                asked.purpose(),
                asked.metadata());
    }

    private static Acquire withTexts(Acquire asked, String purpose, Metadata metadata) {
        return new Acquire(
                asked.lease(),
                asked.principal(),
                asked.seq(),
                asked.ackedBelow(),
                asked.items(),
                asked.owner(),
                asked.actor(),
                asked.waitMillis(),
                asked.maxHoldMillis(),
                asked.leaseCoversWait(),
                purpose,
                metadata);
    }
}
