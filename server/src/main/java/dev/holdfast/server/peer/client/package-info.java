/** Connections from this node to other nodes. */
@NullMarked
package dev.holdfast.server.peer.client;

import org.jspecify.annotations.NullMarked;
