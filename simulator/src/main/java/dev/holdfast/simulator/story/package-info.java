/** Short stories about locks, told in virtual time by the real parts. */
@NullMarked
package dev.holdfast.simulator.story;

import org.jspecify.annotations.NullMarked;
