package dev.holdfast.core;

/**
 * One requested item: a key, what it covers, and how it is held.
 *
 * @param capacity how many permits the semaphore has in total; 0 unless {@code kind} is PERMITS
 * @param count how many of them are requested; 0 unless {@code kind} is PERMITS
 */
public record Item(LockKey key, Kind kind, Mode mode, int capacity, int count) {
    public static Item exclusive(LockKey key) {
        return new Item(key, Kind.PLAIN, Mode.EXCLUSIVE, 0, 0);
    }

    public static Item shared(LockKey key) {
        return new Item(key, Kind.PLAIN, Mode.SHARED, 0, 0);
    }

    public static Item subtree(LockKey key, Mode mode) {
        return new Item(key, Kind.SUBTREE, mode, 0, 0);
    }

    public static Item permits(LockKey key, int capacity, int count) {
        return new Item(key, Kind.PERMITS, Mode.EXCLUSIVE, capacity, count);
    }
}
