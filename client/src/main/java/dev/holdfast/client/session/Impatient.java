package dev.holdfast.client.session;

/** Something that is not waited for without end while the cluster cannot be reached. */
interface Impatient {
    /**
     * Gives up if it has taken too long.
     *
     * @param problem what stands in the way, for people
     */
    void look(long nowNanos, long patienceNanos, String problem);
}
