/** Time as one process can know it. */
@NullMarked
package dev.holdfast.client.time;

import org.jspecify.annotations.NullMarked;
