/** Clients whose sessions are the real ones. */
@NullMarked
package dev.holdfast.simulator.client;

import org.jspecify.annotations.NullMarked;
