/** A node of the service. */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
