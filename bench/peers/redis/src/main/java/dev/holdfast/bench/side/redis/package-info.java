/** Redis as one of the systems that are measured. */
@NullMarked
package dev.holdfast.bench.side.redis;

import org.jspecify.annotations.NullMarked;
