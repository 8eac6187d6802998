@NullMarked
package dev.holdfast.core.shard;

import org.jspecify.annotations.NullMarked;
