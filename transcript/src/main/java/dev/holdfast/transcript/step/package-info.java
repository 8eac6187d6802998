/** The language: what a line of a transcript can say, and what it means. */
@NullMarked
package dev.holdfast.transcript.step;

import org.jspecify.annotations.NullMarked;
