package dev.holdfast.contract;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One client of one node, by a protocol that any program can speak. */
interface Wire extends AutoCloseable {
    /** Waits in the queue; completes with the token. */
    CompletableFuture<Long> lock(String key, int ttlSeconds);

    /** Takes the lock if it is free; what the protocol has no request for is nothing. */
    Optional<Boolean> tryLock(String key, int ttlSeconds);

    /** Gives back what {@link #lock} got. Whether it was still held. */
    boolean release(String key);

    /** Goes away without a word. */
    void hangUp();

    @Override
    void close();
}
