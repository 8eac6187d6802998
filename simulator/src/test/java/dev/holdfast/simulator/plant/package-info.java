/** Bugs planted into the real code while it runs, to see whether they are found. */
@NullMarked
package dev.holdfast.simulator.plant;

import org.jspecify.annotations.NullMarked;
