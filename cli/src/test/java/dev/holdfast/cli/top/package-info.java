/** Tests the {@code holdfast} command in this process, with streams in place of a terminal. */
@NullMarked
package dev.holdfast.cli.top;

import org.jspecify.annotations.NullMarked;
