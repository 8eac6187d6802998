/** The working parts of a client, put together. */
@NullMarked
package dev.holdfast.client.core;

import org.jspecify.annotations.NullMarked;
