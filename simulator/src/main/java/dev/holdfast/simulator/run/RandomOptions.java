package dev.holdfast.simulator.run;

import com.google.protobuf.ByteString;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.watch.WatchOptions;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** What clients come to want: of twenty keys, some plain, some in a tree, some semaphores, some for recorded histories; and two elections. */
final class RandomOptions {
    /** Keys that begin so are tried, released and read, and nothing else. */
    static final String RECORDED = "x";

    private static final List<String> PLAIN = List.of("a", "b", "c", "d", "e", "f");
    private static final List<String> TREE = List.of("t", "t/1", "t/1/x", "t/2", "t/2/y", "t/3");
    private static final List<String> SEMAPHORES = List.of("s1", "s2", "s3");
    private static final List<String> HISTORIES = List.of("x1", "x2", "x3", "x4", "x5");
    private static final List<String> ELECTIONS = List.of("president", "treasurer");
    private static final int CAPACITY = 3;
    private static final long LONGEST_WAIT_MILLIS = 4_000;

    private final RandomGenerator chance;

    RandomOptions(RandomGenerator chance) {
        this.chance = chance;
    }

    private <T> T one(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }

    /** A key whose history is recorded. */
    String recordedKey() {
        return one(HISTORIES);
    }

    /** Something to wait for, or not. */
    AcquireOptions any() {
        return options(items(), waitNanos(), chance.nextInt(6) == 0);
    }

    /** One of the recorded locks, now or not at all. */
    AcquireOptions now(String key) {
        // By nobody in particular: who holds it already is refused, as a lock that is not reentrant does.
        return new AcquireOptions(List.of(plain(key, Mode.EXCLUSIVE)), 0, 0, 0, 0, "", ByteString.EMPTY, 0);
    }

    /** Something with a lease of its own. */
    AcquireOptions portable() {
        return options(List.of(plain(one(PLAIN), mode())), waitNanos(), true);
    }

    /** Two locks of which one is to be held while the other is waited for. */
    List<String> nested() {
        List<String> keys = new ArrayList<>(PLAIN);
        return List.of(keys.remove(chance.nextInt(keys.size())), keys.remove(chance.nextInt(keys.size())));
    }

    /** A lock, however long it takes, by one who does nothing else meanwhile. */
    AcquireOptions patient(String key, long actor) {
        return new AcquireOptions(
                List.of(plain(key, Mode.EXCLUSIVE)), AcquireOptions.FOREVER, 0, 0, 0, "", ByteString.EMPTY, actor);
    }

    /** An election to stand in. */
    String election() {
        return one(ELECTIONS);
    }

    private AcquireOptions options(List<Item> items, long waitNanos, boolean ownLease) {
        return new AcquireOptions(
                items,
                waitNanos,
                ownLease ? chance.nextLong(1_000, 6_000) : 0,
                ownLease && chance.nextInt(3) == 0 ? chance.nextLong(10, 2_000) : 0,
                chance.nextInt(10) == 0 ? chance.nextLong(50, 3_000) : 0,
                "",
                ByteString.EMPTY,
                chance.nextInt(3));
    }

    private long waitNanos() {
        return switch (chance.nextInt(4)) {
            case 0 -> 0;
            case 1 -> AcquireOptions.FOREVER;
            default -> TimeUnit.MILLISECONDS.toNanos(chance.nextLong(1, LONGEST_WAIT_MILLIS));
        };
    }

    private List<Item> items() {
        return switch (chance.nextInt(10)) {
            case 0, 1 -> List.of(item(one(TREE), chance.nextBoolean() ? Kind.SUBTREE : Kind.PLAIN, mode()));
            case 2, 3 -> List.of(permits(one(SEMAPHORES)));
            case 4 -> several();
            default -> List.of(plain(one(PLAIN), mode()));
        };
    }

    private List<Item> several() {
        List<String> keys = new ArrayList<>(PLAIN);
        List<Item> items = new ArrayList<>();
        for (int i = chance.nextInt(2, 5); i > 0; i--) {
            items.add(plain(keys.remove(chance.nextInt(keys.size())), mode()));
        }
        return items;
    }

    private Mode mode() {
        return chance.nextInt(3) == 0 ? Mode.SHARED : Mode.EXCLUSIVE;
    }

    private static Item plain(String key, Mode mode) {
        return item(key, Kind.PLAIN, mode);
    }

    private static Item item(String key, Kind kind, Mode mode) {
        return Item.newBuilder().setKey(key).setKind(kind).setMode(mode).build();
    }

    private Item permits(String key) {
        return Item.newBuilder()
                .setKey(key)
                .setKind(Kind.PERMITS)
                .setMode(Mode.EXCLUSIVE)
                .setCapacity(CAPACITY)
                .setCount(chance.nextInt(1, CAPACITY + 1))
                .build();
    }

    /**
     * Something to watch.
     *
     * @param last what has happened last
     */
    WatchOptions watch(Cursor last) {
        WatchOptions options = switch (chance.nextInt(3)) {
            case 0 -> WatchOptions.of("").withPrefix();
            case 1 -> WatchOptions.of("t").withPrefix();
            default -> WatchOptions.of(one(PLAIN));
        };
        if (chance.nextBoolean()) {
            options = options.withAllEvents();
        }
        return chance.nextInt(3) == 0 && last.revision() > 0
                ? options.from(new Cursor(last.epoch(), chance.nextLong(1, last.revision() + 1) - 1))
                : options;
    }
}
