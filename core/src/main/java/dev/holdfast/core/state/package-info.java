/** What there is: leases, locks, requests. Only Transitions, here, changes them. */
@NullMarked
package dev.holdfast.core.state;

import org.jspecify.annotations.NullMarked;
