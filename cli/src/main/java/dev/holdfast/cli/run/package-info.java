/** A command of the user's that runs while a lock is held: its process, its signals, its end. */
@NullMarked
package dev.holdfast.cli.run;

import org.jspecify.annotations.NullMarked;
