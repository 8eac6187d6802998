package dev.holdfast.client.time;

/** The clocks of a process. */
public interface Ticks {
    /** Answer of {@link #bootNanos} where there is no such clock. */
    long UNKNOWN = -1;

    /** Monotonic; may stand still while the machine is suspended. */
    long nanos();

    /** The wall clock: may jump either way. */
    long wallMillis();

    /** Monotonic, suspension included, coarse; {@link #UNKNOWN} where there is none. */
    long bootNanos();
}
