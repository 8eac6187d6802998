/** What all edges share: the table of operations, requests that may wait, refusals and failures, watches. */
@NullMarked
package dev.holdfast.server.operation;

import org.jspecify.annotations.NullMarked;
