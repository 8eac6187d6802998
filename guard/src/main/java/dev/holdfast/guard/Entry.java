package dev.holdfast.guard;

/** How an access got in. */
public enum Entry {
    /** As every access does that is not a numbered write, and each of these the first time. */
    NEW,
    /** The last numbered write of this grant came once more. It was done: answer as then, do not do it again. */
    REPEATED
}
