/** One client's session with a cluster: the stream, what is sent again on it, time and callbacks. */
@NullMarked
package dev.holdfast.client.session;

import org.jspecify.annotations.NullMarked;
