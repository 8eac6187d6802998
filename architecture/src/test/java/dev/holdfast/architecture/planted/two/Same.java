package dev.holdfast.architecture.planted.two;

/** Has the same simple name as another class. */
public record Same() {}
