/** What all edges share: requests that may wait, refusals and failures in the protocol's words, watches. */
@NullMarked
package dev.holdfast.server.edge;

import org.jspecify.annotations.NullMarked;
