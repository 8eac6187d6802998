/** Who takes turns, in which order, and how much of a bounded room each may take. */
@NullMarked
package dev.holdfast.server.fair;

import org.jspecify.annotations.NullMarked;
