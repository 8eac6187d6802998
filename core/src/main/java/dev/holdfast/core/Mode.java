package dev.holdfast.core;

/** How a lock is held: with others who share it, or alone. */
public enum Mode {
    SHARED,
    EXCLUSIVE
}
