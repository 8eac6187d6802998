/** The binary form of commands and snapshots. */
@NullMarked
package dev.holdfast.core.codec;

import org.jspecify.annotations.NullMarked;
