/** Time that passes only when told to, and processes whose clocks differ: everything runs on one thread, from one seed. */
@NullMarked
package dev.holdfast.simulator.world;

import org.jspecify.annotations.NullMarked;
