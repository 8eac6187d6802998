/** Locks acquired, held, changed, given back and handed to other processes. */
@NullMarked
package dev.holdfast.client.grant;

import org.jspecify.annotations.NullMarked;
