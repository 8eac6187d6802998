/** Who waits for whom, and whether anybody could ever finish. */
@NullMarked
package dev.holdfast.core.deadlock;

import org.jspecify.annotations.NullMarked;
