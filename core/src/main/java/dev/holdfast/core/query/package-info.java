/** Read-only questions about the state. */
@NullMarked
package dev.holdfast.core.query;

import org.jspecify.annotations.NullMarked;
