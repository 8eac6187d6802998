package dev.holdfast.core;

/** What a lock covers. */
public enum Kind {
    /** One key. */
    PLAIN,
    /** One key and every key below it. */
    SUBTREE,
    /** Some of the permits of a counting lock (a semaphore). */
    PERMITS
}
