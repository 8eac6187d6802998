/** A node inside the process that uses it, with the same client. */
@NullMarked
package dev.holdfast.embedded;

import org.jspecify.annotations.NullMarked;
