package dev.holdfast.core;

/**
 * One thing held, or, for a request that still waits, one thing it will hold.
 *
 * @param slot which permit of the semaphore, from 0; {@link #NO_SLOT} for other kinds and while waiting
 */
public record Hold(LockKey key, Kind kind, Mode mode, int slot) {
    public static final int NO_SLOT = -1;
}
