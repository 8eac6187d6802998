/** Deadlines on the cluster clock. */
@NullMarked
package dev.holdfast.core.time;

import org.jspecify.annotations.NullMarked;
