package dev.holdfast.guard.jdbc;

/** How a row is locked until the transaction ends. */
enum RowLock {
    /** Together with others who lock it so. */
    SHARED,
    /** Alone. */
    EXCLUSIVE
}
