/** Tests the {@code holdfast} command as processes of their own, against real nodes. */
@NullMarked
package dev.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
