package dev.holdfast.simulator.log;

/**
 * How slow disks are.
 *
 * @param flushMicros how long a flush takes at most, if nothing is wrong; 0 if what is written is flushed at once
 * @param slow of a million flushes, how many take up to seconds
 */
public record DiskFaults(int flushMicros, int slow) {
    public static final DiskFaults NONE = new DiskFaults(0, 0);
}
