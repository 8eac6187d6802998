/** Locks over one WebSocket: a request for each key, and the grant pushed when it comes. */
@NullMarked
package dev.holdfast.server.websocket;

import org.jspecify.annotations.NullMarked;
