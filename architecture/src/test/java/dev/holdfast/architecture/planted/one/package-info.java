/** Breaks the rules on purpose, together with the package beside it, which is not null-marked. */
@NullMarked
package dev.holdfast.architecture.planted.one;

import org.jspecify.annotations.NullMarked;
