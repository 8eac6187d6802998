package dev.holdfast.guard;

import java.nio.charset.StandardCharsets;

/**
 * What the holder of a lock shows to the resource that the lock protects.
 *
 * <p>It is made from a grant: its key, its token, whether it is shared, and for a semaphore which permit it is. A
 * holder of several permits enters once with each.
 *
 * @param key the key of the lock
 * @param token the fencing token of the grant; positive
 * @param slot which permit of a semaphore, from 0; {@link #NO_SLOT} unless the mode is {@link Mode#PERMIT}
 * @param sequence the number of this write among those of its grant, from 1; {@link #NO_SEQUENCE} for reads, and for
 *     holders that do not number their writes
 */
public record Access(String key, long token, Mode mode, int slot, long sequence) {
    /** How the lock is held. */
    public enum Mode {
        EXCLUSIVE,
        SHARED,
        PERMIT
    }

    public static final int NO_SLOT = -1;
    public static final long NO_SEQUENCE = 0;

    /** The highest limit on the length of a key that a cluster can be configured with. */
    public static final int MAX_KEY_BYTES = 1_024;

    /** The highest slot: one less than the highest number of permits that a cluster can be configured with. */
    public static final int MAX_SLOT = 999_999;

    public Access {
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_KEY_BYTES) {
            throw new InvalidAccessException("key", "must have 1 to " + MAX_KEY_BYTES + " bytes, has " + bytes);
        }
        if (token <= 0) {
            throw new InvalidAccessException("token", "must be positive, is " + token);
        }
        boolean slotFits = mode == Mode.PERMIT ? slot >= 0 && slot <= MAX_SLOT : slot == NO_SLOT;
        if (!slotFits) {
            throw new InvalidAccessException(
                    "slot", "must be from 0 to " + MAX_SLOT + " for a permit and absent for others, is " + slot);
        }
        if (sequence < NO_SEQUENCE) {
            throw new InvalidAccessException("sequence", "must be positive, is " + sequence);
        }
        if (sequence > NO_SEQUENCE && mode == Mode.SHARED) {
            throw new InvalidAccessException("sequence", "a shared grant does not write, so it numbers no writes");
        }
    }

    public static Access exclusive(String key, long token) {
        return new Access(key, token, Mode.EXCLUSIVE, NO_SLOT, NO_SEQUENCE);
    }

    public static Access shared(String key, long token) {
        return new Access(key, token, Mode.SHARED, NO_SLOT, NO_SEQUENCE);
    }

    public static Access permit(String key, long token, int slot) {
        return new Access(key, token, Mode.PERMIT, slot, NO_SEQUENCE);
    }

    /**
     * Returns the same access as a numbered write. A guard then accepts each number of a grant once: it refuses a write
     * that comes after a later one, and recognises the last one when it is repeated.
     *
     * @param number higher than that of every earlier write of the same grant; positive
     */
    public Access write(long number) {
        if (number <= 0) {
            throw new InvalidAccessException("sequence", "must be positive, is " + number);
        }
        return new Access(key, token, mode, slot, number);
    }

    /** Returns the same access without its number: it can be used to enter before the write is done. */
    public Access unnumbered() {
        return new Access(key, token, mode, slot, NO_SEQUENCE);
    }

    public boolean isNumbered() {
        return sequence != NO_SEQUENCE;
    }

    /**
     * Returns one line of ASCII, for headers: {@code orders/42=33}, {@code jobs=33;permit=2}, {@code
     * orders/42=33;write=7}.
     */
    public String text() {
        return AccessText.write(this);
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws InvalidAccessException if the text is something else
     */
    public static Access parse(String text) {
        return AccessText.parse(text);
    }

    /** Whether no two grants like these can be held at once. */
    boolean excludes(Access other) {
        return switch (mode) {
            case EXCLUSIVE -> true;
            case SHARED -> other.mode != Mode.SHARED;
            case PERMIT -> other.mode != Mode.PERMIT || slot == other.slot;
        };
    }
}
