/**
 * Holdfast and other lock services, measured side by side: what a system, its servers and its clients are.
 *
 * <p>Nothing here but the classes of Holdfast's own system needs more than the JDK, so that no peer sees our libraries.
 */
@NullMarked
package dev.holdfast.bench.side;

import org.jspecify.annotations.NullMarked;
