package dev.holdfast.core;

/**
 * One thing held, or, for a request that still waits, one thing it will hold. A request has one for each of its keys.
 *
 * @param permits how many permits of the semaphore and which; {@link Permits#NONE} for other kinds
 */
public record Hold(LockKey key, Kind kind, Mode mode, Permits permits) {
    /** What it takes beside its key, about: an object, a place in a list, a few bytes where it is written. */
    private static final int FIXED_BYTES = 64;

    private static final int RANGE_BYTES = 2 * Integer.BYTES;

    /** A hold of anything but permits. */
    public static Hold of(LockKey key, Kind kind, Mode mode) {
        return new Hold(key, kind, mode, Permits.NONE);
    }

    /** The same in another mode. */
    public Hold in(Mode other) {
        return new Hold(key, kind, other, permits);
    }

    /** About how many bytes it takes, in memory or written. */
    public int bytes() {
        return FIXED_BYTES + key.length() + RANGE_BYTES * permits.rangeCount();
    }
}
