package dev.holdfast.server.watch;

/**
 * What watches may cost a node.
 *
 * @param events how many may wait for one reader
 * @param bytes how many those may take
 * @param callerBytes how many bytes may wait for all readers of one caller
 * @param nodeBytes how many bytes may wait for all readers
 * @param percentPerCaller how much of one processor's time goes into telling one caller
 * @param atOnce how many callers are told at the same time
 */
public record WatchBounds(int events, long bytes, long callerBytes, long nodeBytes, int percentPerCaller, int atOnce) {
    private static final long MIB = 1024 * 1024;

    /** For a machine with so many processors: half of them are left to those who lock. */
    public static WatchBounds forProcessors(int processors) {
        return new WatchBounds(4_096, 8 * MIB, 16 * MIB, 128 * MIB, 20, Math.max(1, processors / 2));
    }

    /** The same with fewer events. */
    public WatchBounds withEvents(int most) {
        return new WatchBounds(most, bytes, callerBytes, nodeBytes, percentPerCaller, atOnce);
    }
}
