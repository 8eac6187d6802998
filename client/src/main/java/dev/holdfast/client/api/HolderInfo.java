package dev.holdfast.client.api;

import java.time.Duration;
import java.time.Instant;

/**
 * Who holds a lock.
 *
 * @param client its client id
 * @param subtree whether it also holds everything below the key
 * @param slots which permits of a semaphore; empty for other locks
 * @param since by the wall clock of the leader at that time, for people
 * @param leaseLeft time until the lock is free if nothing more is heard from the holder
 * @param lost whether the holder is gone and its lock-delay keeps the key locked
 * @param metadata by default host, process and thread
 */
public record HolderInfo(
        String client,
        long token,
        boolean shared,
        boolean subtree,
        Slots slots,
        Duration held,
        Instant since,
        Duration leaseLeft,
        boolean lost,
        String purpose,
        Metadata metadata) {}
