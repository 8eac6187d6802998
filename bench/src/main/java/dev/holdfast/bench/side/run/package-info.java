/**
 * Runs the comparison.
 *
 * <p>{@code SideBySide} goes through the systems one after another. Each gets a JVM of its own with its own class path,
 * in which {@code Driver} starts the system's servers as processes, plays one workload and writes down what it measured.
 */
@NullMarked
package dev.holdfast.bench.side.run;

import org.jspecify.annotations.NullMarked;
