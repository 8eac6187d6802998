@NullMarked
package dev.holdfast.simulator.check;

import org.jspecify.annotations.NullMarked;
