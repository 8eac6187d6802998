/** Requests of a follower's clients, on one stream to the leader. */
@NullMarked
package dev.holdfast.server.forward;

import org.jspecify.annotations.NullMarked;
