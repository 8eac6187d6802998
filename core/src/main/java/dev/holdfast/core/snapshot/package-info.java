/** The state as bytes, and how it is written while the machine goes on. */
@NullMarked
package dev.holdfast.core.snapshot;

import org.jspecify.annotations.NullMarked;
