/** The way to the cluster. */
@NullMarked
package dev.holdfast.client.network;

import org.jspecify.annotations.NullMarked;
