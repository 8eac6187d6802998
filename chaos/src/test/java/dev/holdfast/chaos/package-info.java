/** Three and more real server processes on loopback: killed, stopped, replaced, restored, under load. */
@NullMarked
package dev.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
