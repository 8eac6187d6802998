/** The stories. */
@NullMarked
package dev.holdfast.simulator.story;

import org.jspecify.annotations.NullMarked;
