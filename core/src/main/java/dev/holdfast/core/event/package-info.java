/** What happened, in revision order: events, the ring that remembers them, and who watches which. */
@NullMarked
package dev.holdfast.core.event;

import org.jspecify.annotations.NullMarked;
