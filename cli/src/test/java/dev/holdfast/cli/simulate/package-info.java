/** The command that simulates. */
@NullMarked
package dev.holdfast.cli.simulate;

import org.jspecify.annotations.NullMarked;
