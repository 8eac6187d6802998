/** What the machine answers to a command. */
@NullMarked
package dev.holdfast.core.result;

import org.jspecify.annotations.NullMarked;
