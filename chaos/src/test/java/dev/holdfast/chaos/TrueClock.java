package dev.holdfast.chaos;

/** The kernel's clock, also where the process's own run fast or slow: see {@code drift.c}, which must be loaded. */
final class TrueClock {
    private TrueClock() {}

    /** The same in every process of this machine. */
    static native long nanos();
}
