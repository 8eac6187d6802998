/** The busiest locks and the longest waits, live. */
@NullMarked
package dev.holdfast.cli.top;

import org.jspecify.annotations.NullMarked;
