/** Watches: who wants to know of which keys, from which revision on. */
@NullMarked
package dev.holdfast.server.watch;

import org.jspecify.annotations.NullMarked;
