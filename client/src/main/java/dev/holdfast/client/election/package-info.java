/** Elections, over locks. */
@NullMarked
package dev.holdfast.client.election;

import org.jspecify.annotations.NullMarked;
