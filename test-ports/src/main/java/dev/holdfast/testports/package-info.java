/** Ports for tests that start servers. */
@NullMarked
package dev.holdfast.testports;

import org.jspecify.annotations.NullMarked;
