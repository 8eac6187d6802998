/**
 * Holdfast and other lock services, measured side by side.
 *
 * <p>{@code SideBySide} goes through the systems one after another. Each gets a JVM of its own with its own class path,
 * in which {@code Driver} starts the system's servers as processes, plays one workload and writes down what it measured.
 * Nothing here but the classes of Holdfast's own system needs more than the JDK, so that no peer sees our libraries.
 */
@NullMarked
package dev.holdfast.bench.side;

import org.jspecify.annotations.NullMarked;
