/** What the machine answers to a command: what it did, or would do. */
@NullMarked
package dev.holdfast.core.result;

import org.jspecify.annotations.NullMarked;
