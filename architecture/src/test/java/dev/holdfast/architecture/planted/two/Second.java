package dev.holdfast.architecture.planted.two;

import dev.holdfast.architecture.planted.one.First;
import java.util.List;

/** The other half of the cycle. */
public record Second(List<First> others) {}
