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

    /** One caller's part of the machine. */
    private static final int PERCENT_OF_ALL = 5;

    private static final int MIN_PERCENT = 10;
    private static final int MAX_PERCENT = 50;

    /** For a machine with so many processors: at least half of them are left to those who lock. */
    public static WatchBounds forProcessors(int processors) {
        int percent = Math.max(MIN_PERCENT, Math.min(MAX_PERCENT, PERCENT_OF_ALL * processors));
        return new WatchBounds(4_096, 8 * MIB, 16 * MIB, 128 * MIB, percent, Math.max(1, processors / 2));
    }

    /** The same with another share of the time for each caller. */
    WatchBounds withPercent(int percent) {
        return new WatchBounds(events, bytes, callerBytes, nodeBytes, percent, atOnce);
    }

    /** The same with fewer events. */
    public WatchBounds withEvents(int most) {
        return new WatchBounds(most, bytes, callerBytes, nodeBytes, percentPerCaller, atOnce);
    }
}
