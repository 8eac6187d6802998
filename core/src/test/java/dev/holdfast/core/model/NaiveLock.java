package dev.holdfast.core.model;

import dev.holdfast.core.LockKey;

/** The record of a lock that has a claim. */
final class NaiveLock {
    final LockKey key;
    final int capacity;
    final long createRevision;
    long modRevision;
    long version;

    NaiveLock(LockKey key, int capacity, long createRevision) {
        this.key = key;
        this.capacity = capacity;
        this.createRevision = createRevision;
        this.modRevision = createRevision;
    }
}
