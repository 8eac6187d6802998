package dev.holdfast.client.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Who waits for a lock.
 *
 * @param client its client id
 * @param place its place in the queue; those who came before have smaller numbers
 * @param keys all keys that it waits for at once
 * @param since by the wall clock of the leader at that time, for people
 * @param upgrade whether it holds the lock shared and wants it exclusive
 * @param metadata by default host, process and thread
 */
public record WaiterInfo(
        String client,
        long place,
        List<String> keys,
        Duration waiting,
        Instant since,
        Duration leaseLeft,
        boolean upgrade,
        String purpose,
        Metadata metadata) {
    public WaiterInfo {
        keys = List.copyOf(keys);
    }
}
