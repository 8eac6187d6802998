/** {@code holdfast demo}: four stories on a real local cluster, each checked as it is told. */
@NullMarked
package dev.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
