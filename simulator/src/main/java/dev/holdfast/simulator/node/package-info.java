/** Nodes whose parts above the log are the real ones. */
@NullMarked
package dev.holdfast.simulator.node;

import org.jspecify.annotations.NullMarked;
