/** Who may hold what: conflicts, the grant rule, and the pass that grants the next waiters. */
@NullMarked
package dev.holdfast.core.grant;

import org.jspecify.annotations.NullMarked;
