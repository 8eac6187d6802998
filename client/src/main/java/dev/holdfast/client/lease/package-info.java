/** Leases of a client: what is asked for and held under them, and until when. */
@NullMarked
package dev.holdfast.client.lease;

import org.jspecify.annotations.NullMarked;
