/** Clusters on their own. */
@NullMarked
package dev.holdfast.simulator.node;

import org.jspecify.annotations.NullMarked;
