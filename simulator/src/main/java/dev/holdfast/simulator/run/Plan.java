package dev.holdfast.simulator.run;

import dev.holdfast.simulator.log.DiskFaults;
import dev.holdfast.simulator.log.LogFaults;
import dev.holdfast.simulator.network.NetworkFaults;
import java.util.SplittableRandom;

/**
 * What a run is like. Which kinds of trouble there are and how much is drawn from the seed, so that runs differ in kind
 * and not only in luck.
 *
 * @param troublePauseMillis the longest pause between two faults; 0 for none at all
 * @param restores how often, at most, the cluster is lost and restored from a backup
 */
public record Plan(
        long seed,
        int nodes,
        int clients,
        int operations,
        long ttlMillis,
        long troublePauseMillis,
        int restores,
        NetworkFaults network,
        LogFaults log) {
    private static final int DEFAULT_CLIENTS = 10;
    private static final int DEFAULT_OPERATIONS = 1_000;

    public static Plan of(long seed) {
        return of(seed, DEFAULT_CLIENTS, DEFAULT_OPERATIONS);
    }

    /** Some are too quick to be noticed, some take their time, some are ill. */
    private static DiskFaults disk(SplittableRandom draw) {
        return switch (draw.nextInt(4)) {
            case 0 -> DiskFaults.NONE;
            case 1 -> new DiskFaults(draw.nextInt(100, 5_000), 0);
            default -> new DiskFaults(draw.nextInt(100, 20_000), draw.nextInt(20_000));
        };
    }

    public static Plan of(long seed, int clients, int operations) {
        SplittableRandom draw = new SplittableRandom(seed ^ 0x5DEECE66DL);
        int[] sizes = {1, 3, 3, 3, 5};
        boolean rough = draw.nextInt(3) > 0;
        return new Plan(
                seed,
                sizes[draw.nextInt(sizes.length)],
                clients,
                operations,
                draw.nextLong(1_000, 8_000),
                draw.nextInt(8) == 0 ? 0 : draw.nextLong(300, 6_000),
                draw.nextInt(3) == 0 ? draw.nextInt(1, 4) : 0,
                rough
                        ? new NetworkFaults(draw.nextInt(30_000), draw.nextInt(30_000), draw.nextInt(20_000))
                        : NetworkFaults.NONE,
                new LogFaults(
                        draw.nextInt(2) * draw.nextInt(5_000),
                        draw.nextInt(2) * draw.nextInt(5_000),
                        draw.nextInt(2) * draw.nextInt(5_000),
                        draw.nextBoolean() ? draw.nextInt(20, 200) : Integer.MAX_VALUE,
                        disk(draw)));
    }
}
