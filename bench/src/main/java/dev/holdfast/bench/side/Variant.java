package dev.holdfast.bench.side;

import java.time.Duration;

/**
 * A way of using a system that is measured apart from its usual one.
 *
 * @param name empty for the usual one; what else there is, each system knows
 * @param ttl how long a client's locks outlive it
 */
public record Variant(String name, Duration ttl) {
    /** Whether this variant is meant. */
    public boolean is(String other) {
        return name.equals(other);
    }
}
