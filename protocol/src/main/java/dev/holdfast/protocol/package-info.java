/** The error table, and how errors travel. The messages themselves are generated from {@code src/main/proto}. */
@NullMarked
package dev.holdfast.protocol;

import org.jspecify.annotations.NullMarked;
