/** Deterministic, compact collections: ordered by bytes, or looked up by a number. */
@NullMarked
package dev.holdfast.core.index;

import org.jspecify.annotations.NullMarked;
