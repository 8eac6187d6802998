package dev.holdfast.core.model;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.Permits;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.image.RequestImage.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request: just being decided, waiting, held or lingering. Upgrades are requests of their own while they wait. */
final class NaiveRequest {
    /** The revision of a request that is just being decided: it ranks last. */
    static final long UNDECIDED = Long.MAX_VALUE;

    final NaiveLease lease;
    final long seq;
    final long owner;
    final long actor;
    /** The grant that this request wants to make exclusive. */
    final @Nullable NaiveRequest upgrades;

    final String purpose;
    /** The slots it has, for each semaphore it holds. */
    final SortedMap<LockKey, List<Integer>> slots = new TreeMap<>();

    List<Item> items;
    Metadata metadata;
    State state = State.WAITING;
    long revision = UNDECIDED;
    long token;
    long sinceMillis;
    long wallMillis;
    long endMillis;
    long maxHoldMillis;
    boolean leaseCoversWait;

    NaiveRequest(
            NaiveLease lease,
            long seq,
            List<Item> items,
            long owner,
            long actor,
            String purpose,
            Metadata metadata,
            @Nullable NaiveRequest upgrades) {
        this.lease = lease;
        this.seq = seq;
        this.items = sorted(items);
        this.owner = owner;
        this.actor = actor;
        this.purpose = purpose;
        this.metadata = metadata;
        this.upgrades = upgrades;
    }

    /** An upgrade of the grant: its shared claims as exclusive ones. */
    static NaiveRequest upgradeOf(NaiveRequest grant, long seq, long actor) {
        List<Item> wanted = new ArrayList<>();
        for (Item item : grant.items) {
            if (item.mode() == Mode.SHARED) {
                wanted.add(inMode(item, Mode.EXCLUSIVE));
            }
        }
        return new NaiveRequest(
                grant.lease,
                seq,
                wanted,
                grant.owner,
                grant.actor == 0 ? actor : grant.actor,
                "",
                Metadata.NONE,
                grant);
    }

    static List<Item> sorted(List<Item> items) {
        return items.stream().sorted(Comparator.comparing(Item::key)).toList();
    }

    private static Item inMode(Item item, Mode mode) {
        return new Item(item.key(), item.kind(), mode, item.capacity(), item.count());
    }

    boolean waits() {
        return state == State.WAITING;
    }

    boolean isHeld() {
        return state == State.HELD;
    }

    boolean lingers() {
        return state == State.LINGERING;
    }

    boolean isUpgrade() {
        return upgrades != null;
    }

    Optional<Item> on(LockKey key) {
        return items.stream().filter(item -> item.key().equals(key)).findFirst();
    }

    boolean has(Mode mode) {
        return items.stream().anyMatch(item -> item.mode() == mode);
    }

    boolean hasPermits() {
        return items.stream().anyMatch(item -> item.kind() == Kind.PERMITS);
    }

    LockKey firstKey() {
        return items.get(0).key();
    }

    int slotsOn(LockKey key) {
        return slots.getOrDefault(key, List.of()).size();
    }

    void setMode(Mode mode) {
        items = items.stream().map(item -> inMode(item, mode)).toList();
    }

    FencingToken fencingToken() {
        return new FencingToken(token);
    }

    Event.Party party() {
        return new Event.Party(lease.id, lease.clientId, seq);
    }

    /** How many claims it has; each permit is one. */
    long claims() {
        return claims(items);
    }

    static long claims(List<Item> items) {
        return items.stream()
                .mapToLong(item -> item.kind() == Kind.PERMITS ? item.count() : 1)
                .sum();
    }

    /** What it has or will have of each key. */
    List<Hold> holds() {
        return items.stream()
                .map(item -> new Hold(item.key(), item.kind(), item.mode(), permits(item)))
                .toList();
    }

    private Permits permits(Item item) {
        if (item.kind() != Kind.PERMITS || waits()) {
            return Permits.wanted(item.count());
        }
        Permits.Ranges ranges = new Permits.Ranges();
        slots.getOrDefault(item.key(), List.of()).forEach(slot -> ranges.add(slot, slot));
        return ranges.toPermits();
    }
}
