/** The state as values: what a snapshot consists of. */
@NullMarked
package dev.holdfast.core.image;

import org.jspecify.annotations.NullMarked;
