/** Holdfast as one of the systems that are measured. */
@NullMarked
package dev.holdfast.bench.side.holdfast;

import org.jspecify.annotations.NullMarked;
