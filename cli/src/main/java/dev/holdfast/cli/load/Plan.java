package dev.holdfast.cli.load;

import java.time.Duration;

/**
 * What a run of the load generator does.
 *
 * @param keys how many keys each thread has to itself, or all threads have together
 * @param sharedKeys whether all threads use the same keys
 * @param sharedMode whether locks are taken in shared mode
 * @param hold how long each lock is kept
 * @param rate pairs per second in all; 0 for as many as there can be
 */
record Plan(
        String prefix,
        int threads,
        int clients,
        int keys,
        boolean sharedKeys,
        boolean sharedMode,
        Duration hold,
        double rate,
        Duration warmUp,
        Duration duration) {

    /** The key that a thread uses for its n-th pair; threads begin at different places among shared keys. */
    String key(int thread, long n) {
        return sharedKeys
                ? prefix + Math.floorMod(n * threads + thread, (long) keys)
                : prefix + thread + "/" + n % keys;
    }

    String words() {
        return counted(threads, "thread") + ", " + counted(clients, "client") + ", " + counted(keys, "key")
                + (sharedKeys ? " for all" : " each") + ", " + (sharedMode ? "shared" : "exclusive") + ", "
                + (rate > 0 ? rate + " pairs/s asked for" : "as fast as possible");
    }

    private static String counted(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
