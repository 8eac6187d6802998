/** Watches of a client: events in order, each once, over streams that break. */
@NullMarked
package dev.holdfast.client.watch;

import org.jspecify.annotations.NullMarked;
