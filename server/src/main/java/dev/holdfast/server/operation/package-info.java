/** What all edges share: requests that may wait, refusals and failures in the protocol's words, watches. */
@NullMarked
package dev.holdfast.server.operation;

import org.jspecify.annotations.NullMarked;
