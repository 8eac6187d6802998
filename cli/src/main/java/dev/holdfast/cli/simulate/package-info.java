/** Runs of the real parts in virtual time, from the command line. */
@NullMarked
package dev.holdfast.cli.simulate;

import org.jspecify.annotations.NullMarked;
