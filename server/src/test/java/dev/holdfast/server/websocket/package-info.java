@NullMarked
package dev.holdfast.server.websocket;

import org.jspecify.annotations.NullMarked;
