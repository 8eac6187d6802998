/** Puts into words what the lock machine answers. */
@NullMarked
package dev.holdfast.transcript.words;

import org.jspecify.annotations.NullMarked;
