/** One client's leases, requests and grants: what is held, what is awaited, and until when. */
@NullMarked
package dev.holdfast.client.session;

import org.jspecify.annotations.NullMarked;
