package dev.holdfast.architecture.planted.one;

/** Has the same simple name as another class. */
public record Same() {}
