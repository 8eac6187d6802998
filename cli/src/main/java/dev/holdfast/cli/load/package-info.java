/** A load generator that does what users do: take locks through the Java client and give them back. */
@NullMarked
package dev.holdfast.cli.load;

import org.jspecify.annotations.NullMarked;
