/** Hazelcast's CP subsystem as one of the systems that are measured. */
@NullMarked
package dev.holdfast.bench.side.hazelcast;

import org.jspecify.annotations.NullMarked;
