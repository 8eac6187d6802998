package dev.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
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

    /** Has a lock that {@link #lock} got with this TTL last for that long from now, or longer. */
    void renew(String key, int ttlSeconds);

    /** Leaves the queue, as far as the protocol has a way. */
    void giveUp(String key);

    /** The error that the protocol answers to a request it refuses. */
    JsonNode refusal(String key, int ttlSeconds);

    /** Goes away without a word. */
    void hangUp();

    @Override
    void close();
}
