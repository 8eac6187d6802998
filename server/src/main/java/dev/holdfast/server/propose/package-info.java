/** From requests to entries: the batcher, the cluster clock, and what waits for its entry to be applied. */
@NullMarked
package dev.holdfast.server.propose;

import org.jspecify.annotations.NullMarked;
