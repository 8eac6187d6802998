/** Locks, as a Java program takes and keeps them. */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
