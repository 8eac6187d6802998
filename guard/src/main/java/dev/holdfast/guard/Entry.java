package dev.holdfast.guard;

/** How an access got in. */
public enum Entry {
    /** The access is not a numbered write, or is one that comes for the first time. */
    NEW,
    /** A repetition of the grant's last numbered write. It was done: give the same answer, do not do it again. */
    REPEATED
}
