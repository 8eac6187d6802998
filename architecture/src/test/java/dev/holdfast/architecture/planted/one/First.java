package dev.holdfast.architecture.planted.one;

import dev.holdfast.architecture.planted.two.Second;

/** Half of a cycle. */
public record First(Second other) {}
