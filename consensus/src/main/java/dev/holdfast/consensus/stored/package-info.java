/** A stopped node's log as it lies on disk: what the engines' readers found, for people to look at. */
@NullMarked
package dev.holdfast.consensus.stored;

import org.jspecify.annotations.NullMarked;
