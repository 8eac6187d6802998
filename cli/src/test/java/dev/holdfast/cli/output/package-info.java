/** Tests what commands write. */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
