/** What nodes ask of each other beside the engine's own traffic. */
@NullMarked
package dev.holdfast.server.peer;

import org.jspecify.annotations.NullMarked;
