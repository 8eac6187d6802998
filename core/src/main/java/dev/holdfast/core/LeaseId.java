package dev.holdfast.core;

/** The id of a lease: random, unguessable, never zero, chosen by the caller that requests the lease. */
public record LeaseId(long value) {
    public LeaseId {
        if (value == 0) {
            throw new IllegalArgumentException("lease id: must not be 0");
        }
    }

    @Override
    public String toString() {
        return Long.toHexString(value);
    }
}
