/** Questions about locks. */
@NullMarked
package dev.holdfast.client.query;

import org.jspecify.annotations.NullMarked;
