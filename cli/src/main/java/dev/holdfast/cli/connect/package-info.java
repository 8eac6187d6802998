/** The way from a command to the cluster. */
@NullMarked
package dev.holdfast.cli.connect;

import org.jspecify.annotations.NullMarked;
