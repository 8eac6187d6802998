package dev.holdfast.client.lease;

/**
 * The latest exchange that told the cluster's time.
 *
 * @param sentNanos when its message was sent, on the client's clock
 * @param clusterMillis the cluster time of its answer
 */
record ClusterMoment(long sentNanos, long clusterMillis, boolean known) {
    static final ClusterMoment NONE = new ClusterMoment(0, 0, false);

    ClusterMoment or(long sent, long cluster) {
        return known && sent - sentNanos <= 0 ? this : new ClusterMoment(sent, cluster, true);
    }

    long deadline(long endMillis, long ttlMillis) {
        return Deadline.of(sentNanos, clusterMillis, endMillis, ttlMillis);
    }
}
