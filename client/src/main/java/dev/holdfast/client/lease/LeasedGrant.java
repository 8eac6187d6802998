package dev.holdfast.client.lease;

import dev.holdfast.client.api.Loss;

/** A grant as its lease knows it. */
public interface LeasedGrant {
    long token();

    /** Whether the cluster may know it by another token already. */
    boolean isChanging();

    /** The lease is in jeopardy. */
    void warn();

    /** Ends it, unless it was released. */
    void lose(Loss loss);
}
