/** Whole runs. */
@NullMarked
package dev.holdfast.simulator.run;

import org.jspecify.annotations.NullMarked;
