/** What a lock must do, whichever way it is reached. */
@NullMarked
package dev.holdfast.contract;

import org.jspecify.annotations.NullMarked;
