/** Measurements of the lock machine; docs/benchmarks.md says what they showed. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
