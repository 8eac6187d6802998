/** Who calls, what they may do, and where that is asked for. */
@NullMarked
package dev.holdfast.server.access;

import org.jspecify.annotations.NullMarked;
