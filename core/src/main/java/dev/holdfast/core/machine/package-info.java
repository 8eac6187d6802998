/** The machine itself: the order in which an entry is applied. */
@NullMarked
package dev.holdfast.core.machine;

import org.jspecify.annotations.NullMarked;
