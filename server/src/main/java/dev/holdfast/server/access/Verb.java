package dev.holdfast.server.access;

/** What can be allowed on keys. Each includes those before it: who may take a lock may also see who holds it. */
public enum Verb {
    /** See locks, their holders and their history. */
    READ,
    /** Take locks, and what goes with it. */
    LOCK,
    /** Take locks away from others, and operate what the keys live on. */
    ADMIN
}
