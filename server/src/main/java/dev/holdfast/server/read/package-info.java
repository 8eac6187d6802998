/** Reads: linearizable by a place in the log, or from what this node knows. */
@NullMarked
package dev.holdfast.server.read;

import org.jspecify.annotations.NullMarked;
