package dev.holdfast.client.lease;

import java.util.concurrent.TimeUnit;

/**
 * Until when a client may believe in what ends at a given cluster time.
 *
 * <p>The cluster's clock showed {@code clusterMillis} at some moment after the client had sent the message that was
 * answered with it. So the end is at least {@code end − clusterMillis} after that sending, by the leader's clock; by
 * the client's own it may seem as much sooner as the two clocks' rates differ.
 */
final class Deadline {
    /** Clocks' rates are taken to differ by no more than one part in so many. */
    private static final long DRIFT_PART = 100;

    private static final long MARGIN_MILLIS = 50;
    private static final long MARGIN_PART_OF_TTL = 10;

    private Deadline() {}

    /**
     * The deadline on the client's clock.
     *
     * @param sentNanos when the message was sent, on the client's clock
     * @param clusterMillis the cluster time of its answer
     * @param endMillis the end, in cluster time
     */
    static long of(long sentNanos, long clusterMillis, long endMillis, long ttlMillis) {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(endMillis - clusterMillis);
        long margin = Math.min(MARGIN_MILLIS, ttlMillis / MARGIN_PART_OF_TTL);
        return sentNanos + leftNanos - leftNanos / DRIFT_PART - TimeUnit.MILLISECONDS.toNanos(margin);
    }
}
