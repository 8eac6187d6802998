package dev.holdfast.consensus;

import java.util.List;

/**
 * A cluster of three in this process, whose disks and answers a test has in its hands. An engine for clusters
 * brings one of its own, and passes {@link RareSchedules} on it.
 */
public interface Bench extends AutoCloseable {

    /** The one that leads; waits until there is just one. */
    Seat leader();

    /** All that run. */
    List<Seat> running();

    default List<Seat> others(Seat one) {
        return running().stream().filter(seat -> seat != one).toList();
    }

    @Override
    void close();

    /** One member. */
    interface Seat {
        ReplicatedLog log();

        /** What was applied here, as text. */
        List<String> applied();

        boolean leads();

        void stop();

        /** From now on nothing that its log writes reaches the disk. */
        void holdDisk();

        void freeDisk();

        /** The answer to the next entry it is sent is lost on the way, though the entry was taken. */
        void loseAnswer();

        /** How often it was sent entries. */
        int timesSentEntries();
    }
}
