/** Locks as programs know them from elsewhere: {@link java.util.concurrent.locks.Lock} and its like. */
@NullMarked
package dev.holdfast.client.view;

import org.jspecify.annotations.NullMarked;
