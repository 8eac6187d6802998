/** Plays the scenarios, which specify the lock machine by examples, and tests the language they are written in. */
@NullMarked
package dev.holdfast.transcript;

import org.jspecify.annotations.NullMarked;
