/** What the tests of a node share. */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
