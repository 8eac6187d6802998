/** What the edges ask of a node, and how it answers. */
@NullMarked
package dev.holdfast.server.request;

import org.jspecify.annotations.NullMarked;
