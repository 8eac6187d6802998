package dev.holdfast.simulator.log;

/**
 * How often the log makes trouble by itself.
 *
 * @param refused of a million proposals, how many are refused for no reason
 * @param forgotten of a million proposals, of how many the outcome is never told
 * @param stalled of a million proposals, before how many the proposing thread stalls
 * @param snapshotAfter entries after which a node writes a snapshot
 */
public record LogFaults(int refused, int forgotten, int stalled, int snapshotAfter, DiskFaults disk) {
    public static final LogFaults NONE = new LogFaults(0, 0, 0, Integer.MAX_VALUE, DiskFaults.NONE);
}
