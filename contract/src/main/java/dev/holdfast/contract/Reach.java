package dev.holdfast.contract;

import dev.holdfast.client.HoldfastClient;
import java.time.Duration;

/** One way of reaching locks. */
public interface Reach {
    /** A new client, whose locks outlive it by no more than the TTL. */
    HoldfastClient client(Duration ttl);

    Operator operator();
}
